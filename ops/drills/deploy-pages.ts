import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { SiteConfig } from '@gatehouse/model'
import { copyWorkspace, withoutSite } from '../../tools/build/workspace.ts'
import { CHECKOUT } from '../../tools/stack/settings.ts'
import { launchApi, startApi, type ApiProcess } from './kit/api-process.ts'
import { startSite } from './kit/site-process.ts'
import { seeded } from './kit/random.ts'
import type { DrillEnvironment } from './kit/drill-environment.ts'
import { rewrite } from './upgrade/release.ts'

const KILLS = 24
/** From the launch: during the start, the first writes, and once ready. */
const KILLED_WITHIN_MS = 2_500
const LEAST_PAGES = 2_000
const PATHS = ['/', '/profile', '/contact', '/privacy', '/security', '/login', '/tickets', '/nope']
const RECORD_PATHS = ['/msp/services', '/services', '/services/backup']
const LINKED = /(?:src|href)="(\/(?:static|brand)\/[^"]+)"/g
const SERVICE = {
  name: 'Backup',
  slug: 'backup',
  category: 'Managed IT',
  summary: 'Copies of what matters.',
  description: 'Every night.',
  published: true,
}

/** Each start has another configuration than the one before, so it writes every page. */
const SITES = [
  { name: 'Even IT', colours: { light: '#7a1f5c', dark: '#f0b3dc' } },
  { name: 'Odd IT', colours: null },
]

type Build = { name: string; bundle: string; dist: string }
type Front = Build & Awaited<ReturnType<typeof startSite>>

/**
 * Two replicas of two builds write their pages into one folder, and are killed at random moments of their start, while visitors read both sites.
 * Every page must be there, and link only to files of its own build.
 */
export async function deployPages(environment: DrillEnvironment) {
  const copy = copyWorkspace()
  const pages = join(environment.directory, 'shared-pages')
  const builds = [buildOf('this', CHECKOUT), buildAnother(copy)]
  const sites = SITES.map((site) => createSite(environment.directory, site))
  const envOf = ({ bundle }: Build, start: number) => ({
    ...environment.env,
    SITE_DIR: sites[start % sites.length] ?? '',
    PAGES_DIR: pages,
    WEB_SERVER_BUNDLE: bundle,
    WORKER: 'off',
  })
  const replicas: ApiProcess[] = []
  const fronts: Front[] = []
  try {
    for (const build of builds) replicas.push(await startApi({ env: envOf(build, 0) }))
    await publishService(environment, replicas[0]?.base ?? '')
    await untilWritten(pages, builds)
    for (const [index, build] of builds.entries()) {
      const nginx = await startSite({
        directory: join(environment.directory, `nginx-${build.name}`),
        replicas: [replicas[index]?.port ?? 0],
        over: { WEB_ROOT: build.dist, PAGES_ROOT: join(pages, idOf(build)) },
      })
      fronts.push({ ...build, ...nginx })
    }
    const readers = readPages(fronts)
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    const next = seeded(seed)
    for (let kill = 0; kill < KILLS; kill++) {
      const index = kill % builds.length
      const build = builds[index]
      const replica = replicas[index]
      if (!build || !replica) throw new Error('there are two of each')
      await replica.kill()
      replicas[index] = await launchApi({ env: envOf(build, kill + 1 + index), port: replica.port })
      await setTimeout(next() * KILLED_WITHIN_MS)
    }
    const { count, problems } = await readers.end()
    const unfinished = filesIn(pages).filter((name) => name.endsWith('.new')).length
    console.log(
      `${count} pages of two builds read during ${KILLS} kills, seed ${seed}; ${unfinished} unfinished files left by them`,
    )
    const few = count < LEAST_PAGES ? [`only ${count} pages were read`] : []
    return [...new Set(problems), ...few]
  } finally {
    for (const front of fronts) await front.stop()
    for (const replica of replicas) await replica.kill()
    rmSync(copy, { recursive: true, force: true })
  }
}

const buildOf = (name: string, root: string): Build => ({
  name,
  bundle: join(root, 'web/dist-server/server.js'),
  dist: join(root, 'web/dist'),
})

const idOf = ({ bundle }: Build) => readFileSync(join(dirname(bundle), 'build-id'), 'utf8')

function createSite(directory: string, { name, colours }: (typeof SITES)[number]) {
  const folder = join(directory, name)
  cpSync(join(CHECKOUT, 'sample'), folder, { recursive: true })
  const file = join(folder, 'site.json')
  const config = JSON.parse(readFileSync(file, 'utf8')) as SiteConfig
  const own = { ...config, site: { ...config.site, name }, brand: { ...config.brand, colours } }
  writeFileSync(file, JSON.stringify(own))
  return folder
}

/** With other scripts and styles. */
function buildAnother(copy: string) {
  rewrite(join(copy, 'web/src/messages/en/illustration.ts'), 'Public internet', 'The internet')
  rewrite(join(copy, 'web/src/styles/_tokens.scss'), ':root', ':root, .another')
  execFileSync(process.execPath, ['web/build.ts'], {
    cwd: copy,
    stdio: 'pipe',
    env: withoutSite(),
  })
  return buildOf('another', copy)
}

async function publishService({ keys }: DrillEnvironment, base: string) {
  const token = await keys.tokenOf({ sub: 'sub-editor', name: 'Edith Editor', role: 'admin' })
  const { status } = await fetch(`${base}/api/services`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(SERVICE),
  })
  if (status !== 201) throw new Error(`the service was answered with ${status}`)
}

async function untilWritten(pages: string, builds: Build[]) {
  const files = builds.map((build) => join(pages, idOf(build), 'services/backup/index.html'))
  while (!files.every((file) => existsSync(file))) await setTimeout(200)
}

/** Reads every path of both sites again and again; a linked file is requested once per site. */
function readPages(fronts: Front[]) {
  const problems: string[] = []
  const known = new Set<string>()
  let count = 0
  let isEnding = false
  const check = async ({ name, base }: Front, path: string) => {
    const response = await fetch(base + path)
    const html = await response.text()
    const expected = path === '/nope' ? 404 : 200
    if (response.status !== expected || !html.trimEnd().endsWith('</html>'))
      problems.push(`${name} ${path}: ${response.status}, ${html.length} characters`)
    for (const [, address = ''] of html.matchAll(LINKED)) {
      if (known.has(base + address)) continue
      const { status } = await fetch(base + address)
      if (status === 200) known.add(base + address)
      else problems.push(`${name} ${path} links to ${address}: ${status}`)
    }
    count++
  }
  const reading = fronts.map(async (front) => {
    while (!isEnding) {
      for (const path of [...PATHS, ...RECORD_PATHS]) await check(front, path)
      await setTimeout(20)
    }
  })
  return {
    end: async () => {
      isEnding = true
      await Promise.all(reading)
      return { count, problems }
    },
  }
}

const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' })
