import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

const STEP_MS = 30_000

/** An authenticator app: its secret from Keycloak's form, and the last used time step, as each code is accepted once. */
export type App = { secret: string; usedStep: number }

export const newApp = (): App => ({ secret: '', usedStep: 0 })

/** The next unused code (RFC 6238). */
export async function codeOf(app: App) {
  if (stepOf() <= app.usedStep) await setTimeout((app.usedStep + 1) * STEP_MS - Date.now() + 200)
  app.usedStep = stepOf()
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(app.usedStep))
  const mac = createHmac('sha1', app.secret).update(counter).digest()
  const offset = (mac[19] ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const stepOf = () => Math.floor(Date.now() / STEP_MS)
