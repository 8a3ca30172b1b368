import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { SiteConfig } from '@gatehouse/model'

const ROOT = new URL('../..', import.meta.url).pathname

/** Copies tracked and untracked files; links packages, except ours, which must be the copy's own. */
export function copyWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-copy-'))
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT, encoding: 'utf8' },
  )
  for (const file of files.split('\0').filter((name) => name && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(ROOT, file), join(folder, file))
  }
  const own = join(folder, 'node_modules/@gatehouse')
  mkdirSync(own, { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter(
    (name) => name !== '@gatehouse',
  ))
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  for (const name of ['model', 'api', 'web']) symlinkSync(join(folder, name), join(own, name))
  return folder
}

/** Adds a provider's site with its migrations and notice; writes nothing outside `site/`. */
export function addSite(copy: string, name = 'Copperfield IT') {
  const site = join(copy, 'site')
  cpSync(join(copy, 'ops/drills/upgrade/site'), site, { recursive: true })
  cpSync(join(copy, 'sample/notice'), join(site, 'notice'), { recursive: true })
  const config = readFileSync(join(copy, 'sample/site.json'), 'utf8')
  const { site: sample } = JSON.parse(config) as SiteConfig
  const own = config.replace(
    `"name": ${JSON.stringify(sample.name)}`,
    () => `"name": ${JSON.stringify(name)}`,
  )
  writeFileSync(join(site, 'site.json'), own)
  runIn(copy, 'db:migration', 'add-invoices')
}

export function runIn(copy: string, ...args: string[]) {
  return execFileSync('npm', ['run', '--silent', ...args], {
    cwd: copy,
    env: withoutSite(),
    encoding: 'utf8',
    stdio: 'pipe',
  })
}

/** So that a copy uses its own site. */
export function withoutSite() {
  const { SITE_DIR: _site, ...env } = process.env
  return env
}
