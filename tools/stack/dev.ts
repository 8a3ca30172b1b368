import { setTimeout } from 'node:timers/promises'
import { API_SOURCES, apiProgram, viteProgram } from './dev-programs.ts'
import { startForeground } from './foreground.ts'
import { isResponding } from './process.ts'
import { showProgress } from './progress.ts'
import { readSettings } from './settings.ts'
import { buildServices, createStateDirectory, requireFree } from './stack-services.ts'
import { beginBase, seedOnce } from './up.ts'
import { watchMigrations } from './watch-migrations.ts'

/**
 * The development stack: API and site in the foreground with reload, on the usual ports; database, identity provider and mail
 * catcher in the background, left running.
 */
const settings = readSettings()
const parts = buildServices(settings)
createStateDirectory(settings)
// Their background versions use the same ports.
await Promise.all([parts.site.stop(), parts.api.stop()])

await requireFree({
  SITE_PORT: settings.ports.site,
  API_PORT: settings.ports.api,
  METRICS_PORT: settings.ports.metrics,
})

const foreground = startForeground()
void foreground.ended.then((code) => process.exit(code))
const { step, end } = showProgress()
await beginBase(parts, step, async () => {
  foreground.runAndRestart(apiProgram(settings), API_SOURCES)
  await step('API', () => untilAnswer(`http://127.0.0.1:${settings.ports.api}/readyz`))
  await seedOnce(settings, step)
})
end()
foreground.run(viteProgram(settings))
watchMigrations(settings)
console.log(`
Site   ${settings.site}   (Ctrl-C ends it and the API)
Mails  ${settings.mail}
The rest stays in the background: npm run stack -- down ends it.
`)

async function untilAnswer(url: string) {
  while (!(await isResponding(url))) await setTimeout(200)
}
