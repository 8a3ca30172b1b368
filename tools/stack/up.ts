import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildApi, isApiBuilt } from '../build/api-build.ts'
import { createStateDirectory, type Service, type Parts } from './stack-services.ts'
import { runLogged } from './process.ts'
import { showProgress, type Step } from './progress.ts'
import { CHECKOUT, type Settings } from './settings.ts'
import { isWebBuilt } from './web.ts'

/** Starts what is down, each part as soon as its dependencies are up; resolves when all are ready. */
export async function startStack(settings: Settings, parts: Parts) {
  createStateDirectory(settings)
  const { step, end } = showProgress()
  try {
    await Promise.all([
      beginBase(parts, step, async () => {
        if (!isApiBuilt() && !parts.api.isRunning()) await step('API build', () => buildApi())
        await begin(parts.api, step)
        await seedOnce(settings, step)
      }),
      buildWeb(settings, parts, step).then(() => begin(parts.site, step)),
    ])
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

async function buildWeb({ state }: Settings, parts: Parts, step: Step) {
  if (isWebBuilt()) return
  if (parts.site.isRunning())
    return console.log(
      'The built site is older than its sources. Rebuild it: npm run stack -- down, then up.',
    )
  await step('Web build', () =>
    runLogged({ name: 'web', state }, 'npm', ['run', 'build', '-w', 'web']),
  )
}
