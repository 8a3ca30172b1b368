import type { SiteConfig } from '@gatehouse/model'
import type { Env } from '../../api/src/platform/env.ts'

export type Finding =
  { level: 'ok'; what: string } | { level: 'warning' | 'failure'; what: string; todo: string }

/** Input of the checks. An unreadable part is null: one check reports it, the others skip it. */
export type Installation = {
  env: NodeJS.ProcessEnv
  settings: Env | null
  siteFile: string
  config: SiteConfig | null
  siteUrl: string | null
  logPlaces: string[]
}

export type Check = (installation: Installation) => Finding[] | Promise<Finding[]>

export const ok = (what: string): Finding => ({ level: 'ok', what })
export const warning = (what: string, todo: string): Finding => ({ level: 'warning', what, todo })
export const failure = (what: string, todo: string): Finding => ({ level: 'failure', what, todo })

export const notInProduction = ({ env }: Installation) =>
  env['NODE_ENV'] === 'production' ? failure : warning

/** Loopback traffic needs no encryption. */
export const isLocal = (hostname: string) => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

export const errorMessage = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // fetch hides the reason in `cause`; a connection rejected by two addresses has no message.
  const reason = error.cause ?? (error instanceof AggregateError ? error.errors[0] : null)
  return reason ? errorMessage(reason) : error.message
}
