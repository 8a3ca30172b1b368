import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startBuildah } from '../../../tools/release/buildah.ts'

const TOOLS = new URL('../../../.tools/', import.meta.url).pathname
/** What the modules' go.mod ask for; Debian 12 has 1.19. */
const GO_MINOR_MIN = 24

type GoPrograms = {
  name: string
  version: string
  /** Module with a `cmd` folder; each program is a folder there. */
  module: string
  programs: string[]
}

const isInstalled = (folder: string, programs: string[]) =>
  programs.every((program) => existsSync(join(folder, program)))

const folderOf = ({ name, version }: GoPrograms) => join(TOOLS, `${name}-${version}`)

/** Whether a test may use them: a new machine of CI has no minutes to build them, and its drills do so by turns. */
export const mayUse = (program: GoPrograms) =>
  process.env['CI'] === undefined || isInstalled(folderOf(program), program.programs)

/** Programs from the Go proxy, built by this machine's Go or by that of Debian 13. Returns their folder. */
export function installGoPrograms(all: GoPrograms) {
  const { version, module, programs } = all
  const folder = folderOf(all)
  if (isInstalled(folder, programs)) return folder
  // Of this process: another test may build it too.
  const unfinished = `${folder}.${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const sources = programs.map((program) => `${module}/cmd/${program}@v${version}`)
  const install = `GOBIN="$1" GOTOOLCHAIN=local CGO_ENABLED=0 go install ${sources.join(' ')}`
  if (hasGo()) execFileSync('sh', ['-ec', install, 'sh', unfinished], { stdio: 'inherit' })
  else installInDebian(install, { programs, folder: unfinished })
  if (existsSync(folder)) rmSync(unfinished, { recursive: true })
  else renameSync(unfinished, folder)
  return folder
}

function hasGo() {
  try {
    const version = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' })
    return Number(/^go1\.(\d+)/.exec(version)?.[1]) >= GO_MINOR_MIN
  } catch {
    return false
  }
}

function installInDebian(
  install: string,
  { programs, folder }: { programs: string[]; folder: string },
) {
  const buildah = startBuildah()
  const container = buildah.run('from', '--pull-never', buildah.base('trixie'))
  const run = (...command: string[]) =>
    buildah.run('run', '--isolation', 'chroot', container, '--', ...command)
  try {
    run(
      'sh',
      '-ec',
      'apt-get -qq update && apt-get -qq -y install --no-install-recommends golang-go',
    )
    run('sh', '-ec', install, 'sh', '/out')
    const root = buildah.run('mount', container)
    for (const program of programs) cpSync(join(root, 'out', program), join(folder, program))
  } finally {
    buildah.run('rm', container)
  }
}
