import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TOOLS = new URL('../../.tools/', import.meta.url).pathname

type Tool = { name: string; package: string; version: string }

/** Into .tools, so that the tool is in none of our package.json and lock files. */
export function installNpmTool({ name, package: wanted, version }: Tool) {
  const home = join(TOOLS, name)
  const folder = join(home, 'node_modules', wanted)
  if (existsSync(join(folder, 'package.json'))) return folder
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  execFileSync('npm', ['install', ...flags, `${wanted}@${version}`], { cwd: home, stdio: 'ignore' })
  return folder
}
