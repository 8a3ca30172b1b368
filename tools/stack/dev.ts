import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { apiEnv, buildServices, createStateDirectory } from './stack-services.ts'
import { isResponding } from './process.ts'
import { showProgress } from './progress.ts'
import { CHECKOUT, readSettings, type Settings } from './settings.ts'
import { beginBase, seedOnce } from './up.ts'
import { setTimeout } from 'node:timers/promises'

/**
 * The development stack: API and site in the foreground with reload, on the usual ports; database, identity provider and mail
 * catcher in the background, left running.
 */
const settings = readSettings()
const parts = buildServices(settings)
createStateDirectory(settings)
// Their background versions use the same ports.
await Promise.all([parts.site.stop(), parts.api.stop()])

const { step, end } = showProgress()
const children: ReturnType<typeof spawn>[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => children.forEach((child) => child.kill(signal)))

await beginBase(parts, step, async () => {
  run(
    process.execPath,
    ['--watch', '--watch-preserve-output', 'api/src/server.ts'],
    apiEnv(settings),
  )
  await step('API', () => untilAnswer(`http://127.0.0.1:${settings.ports.api}/readyz`))
  await seedOnce(settings, step)
})
end()
run('npm', ['run', 'dev', '-w', 'web'], webEnv(settings))
console.log(`
Site   ${settings.site}   (Ctrl-C ends it and the API)
Mails  ${settings.mail}
The rest stays in the background: npm run stack -- down ends it.
`)
await Promise.all(children.map((child) => once(child, 'exit')))

function run(command: string, args: string[], env: NodeJS.ProcessEnv) {
  children.push(
    spawn(command, args, { cwd: CHECKOUT, stdio: 'inherit', env: { ...process.env, ...env } }),
  )
}

/** Vite takes nginx's port and proxies what nginx would. */
function webEnv({ ports }: Settings) {
  return {
    SITE_PORT: String(ports.site),
    API_PORT: String(ports.api),
    KEYCLOAK_PORT: String(ports.keycloak),
  }
}

async function untilAnswer(url: string) {
  while (!(await isResponding(url))) await setTimeout(200)
}
