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

/** What git knows or would know; packages are linked, but our own must be those of the copy. */
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

/** The site a provider might have, with its migrations and its notice: nothing outside `site/` is written. */
export function addSite(copy: string, name = 'Copperfield IT') {
  const site = join(copy, 'site')
  cpSync(join(copy, 'ops/drills/upgrade/site'), site, { recursive: true })
  cpSync(join(copy, 'sample/notice'), join(site, 'notice'), { recursive: true })
  const config = JSON.parse(readFileSync(join(copy, 'sample/site.json'), 'utf8')) as SiteConfig
  const own = { ...config, site: { ...config.site, name } }
  writeFileSync(join(site, 'site.json'), `${JSON.stringify(own, null, 2)}\n`)
  runIn(copy, 'db:migration', 'add-invoices')
}

/** A command of package.json, as someone would run it there: on the site of the copy. */
export function runIn(copy: string, ...args: string[]) {
  return execFileSync('npm', ['run', '--silent', ...args], {
    cwd: copy,
    env: withoutSite(),
    encoding: 'utf8',
    stdio: 'pipe',
  })
}

/** The environment in which a copy uses its own site, whatever this process was told to use. */
export function withoutSite() {
  const { SITE_DIR: _site, ...env } = process.env
  return env
}
