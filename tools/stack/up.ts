import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildApi, isApiBuilt } from '../checks/api-build.ts'
import { realmHash } from './keycloak.ts'
import { makeStateDirectory, type Part, type Parts } from './parts.ts'
import { runLogged } from './process.ts'
import { showProgress, type Step } from './progress.ts'
import { CHECKOUT, type Settings } from './settings.ts'
import { isWebBuilt } from './web.ts'

/** Starts what does not run, each part as soon as what it needs is there; returns when all are ready. */
export async function bringUp(settings: Settings, parts: Parts) {
  makeStateDirectory(settings)
  const { step, end } = showProgress()
  try {
    await Promise.all([
      beginBase(settings, parts, step, async () => {
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

/** What the API needs, in the background; `andThen` begins with the database, not after Keycloak, the slowest of all. */
export async function beginBase(
  settings: Settings,
  parts: Parts,
  step: Step,
  andThen: () => Promise<void>,
) {
  await Promise.all([
    begin(parts.mail, step),
    begin(parts.postgres, step).then(() =>
      Promise.all([
        begin(parts.keycloak, step).then(() => {
          rememberRealm(settings)
        }),
        andThen(),
      ]),
    ),
  ])
}

/** Once in the life of the database: who removes the sample data does not want it back with the next start. */
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

const begin = (part: Part, step: Step) =>
  step(part.title, part.start, part.isRunning() ? 'already runs' : part.address)

async function buildWeb({ state }: Settings, parts: Parts, step: Step) {
  if (isWebBuilt()) return
  if (parts.site.isRunning())
    return console.log(
      'The site is older than its sources: npm run stack -- down, then up, builds it again.',
    )
  await step('Web build', () =>
    runLogged({ name: 'web', state }, 'npm', ['run', 'build', '-w', 'web']),
  )
}

/** Keycloak reads the realm file into a new database only, so a change of the file would go unnoticed. */
function rememberRealm({ state }: Settings) {
  const mark = join(state, 'realm')
  if (!existsSync(mark)) writeFileSync(mark, realmHash())
  if (readFileSync(mark, 'utf8') !== realmHash())
    console.log('The realm file has changed since it was read: npm run stack -- reset, then up')
}
