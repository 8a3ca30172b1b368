import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildApi, isApiBuilt } from '../build/api-build.ts'
import { apiEnv, createStateDirectory, type Service, type Parts } from './stack-services.ts'
import { runLogged } from './process.ts'
import { showProgress, type Step } from './progress.ts'
import { CHECKOUT, type Settings } from './settings.ts'
import { buildWeb, isWebBuilt } from './web.ts'

/** Starts what is down, each part as soon as its dependencies are up; resolves when all are ready. */
export async function startStack(settings: Settings, parts: Parts) {
  createStateDirectory(settings)
  const { step, end } = showProgress()
  try {
    const built = Promise.all([buildSite(settings, parts, step), buildPrograms(parts, step)]).then(
      () => printNotice(settings, parts, step),
    )
    await beginBase(parts, step, async () => {
      // The API writes the pages of the build.
      await built
      await begin(parts.api, step)
      await Promise.all([seedOnce(settings, step), begin(parts.site, step)])
    })
  } finally {
    end()
  }
}

/** Starts what the API needs; `andThen` waits for the database only, not for the slow Keycloak. */
export async function beginBase(parts: Parts, step: Step, andThen: () => Promise<void>) {
  await Promise.all([
    begin(parts.identity, step),
    begin(parts.mail, step),
    begin(parts.postgres, step).then(() => Promise.all([begin(parts.keycloak, step), andThen()])),
  ])
}

/** Once per database: removed sample data must not be added again. */
export async function seedOnce({ state, databaseUrl }: Settings, step: Step) {
  const mark = join(state, 'seeded')
  if (existsSync(mark)) return
  await step('Sample data', async () => {
    await runLogged(
      { name: 'seed', state },
      process.execPath,
      [join(CHECKOUT, 'tools/seed/seed.ts')],
      {
        DATABASE_URL: databaseUrl('gatehouse_app'),
      },
    )
    writeFileSync(mark, '')
  })
}

const begin = (part: Service, step: Step) =>
  step(part.title, part.start, part.isRunning() ? 'already running' : part.address)

async function buildPrograms(parts: Parts, step: Step) {
  if (!isApiBuilt() && !parts.api.isRunning()) await step('API build', () => buildApi())
}

/** Returns at once if nothing has changed since. */
async function printNotice(settings: Settings, parts: Parts, step: Step) {
  if (parts.api.isRunning()) return
  await step('Printed notice', () =>
    runLogged(
      { name: 'print', state: settings.state },
      process.execPath,
      [join(CHECKOUT, 'api/dist/print.js')],
      { ...process.env, ...apiEnv(settings) },
    ),
  )
}

async function buildSite({ state }: Settings, parts: Parts, step: Step) {
  if (isWebBuilt()) return
  if (parts.site.isRunning())
    return console.log(
      'The built site is older than its sources. Rebuild it: npm run stack -- down, then up.',
    )
  await step('Web build', () => buildWeb(state))
}
