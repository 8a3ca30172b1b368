import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Buildah } from './buildah.ts'
import { shipDirectory } from './debian-base.ts'
import { SAME } from './image-archive.ts'

const CHECKOUT = new URL('../..', import.meta.url).pathname
/** What a deployer with containers runs and reads. */
const FILES = {
  'ops/release/gatehouse': 'gatehouse',
  'compose.yaml': 'compose.yaml',
  'site.Containerfile': 'site.Containerfile',
  '.env.example': '.env.example',
  'README.md': 'README.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
  docs: 'docs',
  'model/site.schema.json': 'model/site.schema.json',
}

/**
 * gatehouse-VERSION.tar.gz: the script, compose.yaml, the documents, and in `programs` what the images run, for a server without
 * containers.
 */
export function archivePrograms(
  buildah: Buildah,
  { version, image, file }: { version: string; image: string; file: string },
) {
  const folder = mkdtempSync(join(shipDirectory(), 'release-'))
  const name = `gatehouse-${version}`
  const root = join(folder, name)
  try {
    mkdirSync(root)
    for (const [from, to] of Object.entries(FILES))
      cpSync(join(CHECKOUT, from), join(root, to), { recursive: true })
    for (const empty of ['site', 'tls']) mkdirSync(join(root, empty))
    writeFileSync(join(root, 'VERSION'), `${version}\n`)
    copyPrograms(buildah, { image, to: join(root, 'programs') })
    execFileSync('tar', [...SAME, '--mode=go=rX,u+rw', '-C', folder, '-czf', file, name])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** From the image that has all of them. */
function copyPrograms(buildah: Buildah, { image, to }: { image: string; to: string }) {
  const container = buildah.run('from', '--pull-never', image)
  try {
    const app = join(buildah.run('mount', container), 'app')
    for (const part of PROGRAMS) cpSync(join(app, part), join(to, part), { recursive: true })
  } finally {
    buildah.run('rm', container)
  }
  cpSync(join(CHECKOUT, 'ops'), join(to, 'ops'), {
    recursive: true,
    filter: (source) => !source.includes('/ops/drills'),
  })
}

const PROGRAMS = [
  'package.json',
  'api/dist',
  'api/migrations',
  'web/dist',
  'web/dist-server',
  'sample',
  '.build',
]
