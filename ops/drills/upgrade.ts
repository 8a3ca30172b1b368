import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { addSite, copyWorkspace, runIn, withoutSite } from '../../tools/build/workspace.ts'
import { report, seconds, type Result } from './kit/results.ts'
import { startDrillEnvironment, type DrillEnvironment } from './kit/drill-environment.ts'
import { withApi } from './upgrade/api-client.ts'
import { upgradeThrice } from './upgrade/three-releases.ts'
import { checkBefore, checkAfter } from './upgrade/upgrade-checks.ts'
import {
  addSiteField,
  claimAddress,
  createRelease,
  NEW_MESSAGE,
  rewrite,
} from './upgrade/release.ts'

const SITE_NAME = 'Copperfield IT'
const SITE_TEXT = 'Sign in to see your invoices and our replies.'
const ADDRESS = 'hello@gatehouse.example'
const NEW_ADDRESS = 'hello@copperfield.example'

/** `once`: a release merged; `releases`: three, with a rename in each. Without a name both. */
export async function upgrade(part?: string) {
  if (part !== undefined && part !== 'once' && part !== 'releases')
    throw new Error('npm run drill -- upgrade [once | releases]')
  const isMerged = part === 'releases' || (await upgradeOnce())
  const isUpgraded = part === 'once' || (await upgradeThrice({ isLarge: false }))
  return isMerged && isUpgraded
}

/** The three releases with 30 models, 60 migrations and a million rows. */
export const upgradeLarge = () => upgradeThrice({ isLarge: true })

/**
 * Upgrades a provider's site to a release with a new model, a column on a table the site extends and a notice text: merged
 * with git and migrated with one command on a real PostgreSQL.
 */
async function upgradeOnce() {
  const started = Date.now()
  const copy = copyWorkspace()
  const environment = await startDrillEnvironment()
  try {
    const results = await run(copy, environment)
    return report('upgrade', results, `${seconds(started)} s`)
  } finally {
    await environment.close()
    rmSync(copy, { recursive: true, force: true })
  }
}

async function run(copy: string, environment: DrillEnvironment) {
  const git = (...args: string[]) =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: copy, encoding: 'utf8', stdio: 'pipe' })
  const commit = (message: string) => {
    git('add', '--all')
    git('commit', '--quiet', '--message', message)
  }
  const { DATABASE_MIGRATION_URL, ...apiEnv } = environment.env
  const migrate = () =>
    spawnSync('npm', ['run', '--silent', 'db:migrate'], {
      cwd: copy,
      encoding: 'utf8',
      env: { ...withoutSite(), DATABASE_MIGRATION_URL },
    })

  git('init', '--quiet', '--initial-branch=product')
  commit('The release before')
  git('checkout', '--quiet', '-b', 'provider')
  addSite(copy, SITE_NAME)
  runIn(copy, 'notice:write')
  publishNotice(copy)
  runIn(copy, 'openapi')
  const touched = git('status', '--porcelain', '--untracked-files=all').split('\n').filter(Boolean)
  commit('Our site')
  const first = migrate()
  const before = await withApi(copy, environment, apiEnv, checkBefore)

  git('checkout', '--quiet', 'product')
  createRelease(copy)
  commit('The next release')
  git('checkout', '--quiet', 'provider')
  const merged = spawnSync('git', [...IDENTITY, 'merge', '--quiet', '--no-edit', 'product'], {
    cwd: copy,
    encoding: 'utf8',
  })
  // With conflict markers in the files, no other check can run.
  if (merged.status !== 0) return [is('git merges without conflict', false, merged.stdout)]
  addSiteField(copy)
  const difference = runIn(copy, 'db:migration', 'nothing')
  const second = migrate()
  const notice = spawnSync('npm', ['run', '--silent', 'notice:check'], {
    cwd: copy,
    encoding: 'utf8',
    env: withoutSite(),
  })
  runIn(copy, 'notice:write', '--', '--date', today(), '--summary', 'What the release brought')
  runIn(copy, 'openapi')
  const scripts = buildScripts(copy)
  const pages = join(environment.directory, 'pages')
  const withPages = { ...apiEnv, PAGES_DIR: pages }
  const after = await withApi(copy, environment, withPages, checkAfter)
  const page = readPage(copy, pages, 'index.html')
  rewrite(join(copy, 'site/site.json'), ADDRESS, NEW_ADDRESS)
  await withApi(copy, environment, withPages, async () => [])
  const changed = readPage(copy, pages, 'security/index.html')
  claimAddress(copy)
  const clash = migrate()
  return [
    is(
      'only site/ is written',
      touched.every((line) => line.slice(3).startsWith('site/')),
      touched.join(' '),
    ),
    is(
      'product and site migrated before the release',
      /0001-privileges\.sql.* site\/0001-add-invoices\.sql/.test(first.stdout),
      first.stdout + first.stderr,
    ),
    ...before,
    is('git merges without conflict', true, ''),
    is(
      'one command migrates product and site',
      /Applied \d{4}-next\.sql.* site\/0003-add-note\.sql/.test(second.stdout),
      second.stdout + second.stderr,
    ),
    is('neither half differs', difference.includes('have not changed'), difference),
    is(
      'the notice check names new fields',
      notice.status === 1 &&
        ['couriers', 'organisations.courierPhone', NEW_MESSAGE].every((text) =>
          notice.stderr.includes(text),
        ),
      notice.stderr,
    ),
    ...after,
    is('the page has the site’s name', page.includes(SITE_NAME), page.slice(0, 300)),
    is(
      'a changed configuration is on the page after a restart, without a build',
      changed.includes(NEW_ADDRESS),
      changed.slice(0, 300),
    ),
    is('the built pages say it as the site does', scripts.includes(SITE_TEXT), 'not found'),
    is(
      'a path used by both is rejected',
      clash.status !== 0 &&
        `${clash.stdout}${clash.stderr}`.includes('the address \\"invoices\\" is the product'),
      clash.stdout + clash.stderr,
    ),
  ]
}

const IDENTITY = ['-c', 'user.name=drill', '-c', 'user.email=drill@example.test']

const is = (title: string, isRight: boolean, found: string): Result => ({
  title,
  isRight,
  figure: isRight ? '' : found.trim(),
})

const today = () => new Date().toISOString().slice(0, 10)

/** Marks the notice as released, so that a change needs a new version. */
function publishNotice(copy: string) {
  rewrite(join(copy, 'site/notice/1.0.json'), '"released": false', '"released": true')
}

/** All scripts the browser downloads, as one string. */
function buildScripts(copy: string) {
  execFileSync(process.execPath, ['web/build.ts'], {
    cwd: copy,
    stdio: 'pipe',
    env: withoutSite(),
  })
  const dist = join(copy, 'web/dist')
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(dist, name), 'utf8'))
    .join('')
}

const readPage = (copy: string, pages: string, name: string) =>
  readFileSync(
    join(pages, readFileSync(join(copy, 'web/dist-server/build-id'), 'utf8'), name),
    'utf8',
  )
