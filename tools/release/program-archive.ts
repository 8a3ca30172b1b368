import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Buildah } from './buildah.ts'
import { shipDirectory, type Architecture } from './debian-base.ts'
import { SAME } from './image-archive.ts'

const CHECKOUT = new URL('../..', import.meta.url).pathname
/** What a deployer with containers runs and reads. */
export const FILES = {
  'ops/release/gatehouse': 'gatehouse',
  'compose.yaml': 'compose.yaml',
  'site.Containerfile': 'site.Containerfile',
  '.env.example': '.env.example',
  'README.md': 'README.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
  'CONTRIBUTING.md': 'CONTRIBUTING.md',
  'SECURITY.md': 'SECURITY.md',
  docs: 'docs',
  'model/site.schema.json': 'model/site.schema.json',
}

/** What a release serves any site with: a built workspace, and what differs with the architecture. */
export type Built = { app: string; machines: Partial<Record<Architecture, Machine>> }

/** Program of Node, and folder of the packages that aren't bundled. */
type Machine = { node: string; packages: string }

/** In a built workspace. */
export const PACKAGES = 'api/dist/node_modules'

/**
 * gatehouse-VERSION.tar.gz: the script, compose.yaml, the documents, and in `programs` what the images run, for a server without
 * containers. `builders`: image of each architecture that has all of it.
 */
export function archivePrograms(
  buildah: Buildah,
  {
    version,
    builders,
    file,
  }: { version: string; builders: Partial<Record<Architecture, string>>; file: string },
) {
  const containers = Object.entries(builders).map(([arch, image]) => {
    const container = buildah.run('from', '--pull-never', image)
    return { arch, container, root: buildah.run('mount', container) }
  })
  try {
    packPrograms({
      version,
      file,
      app: join(containers[0]?.root ?? '', 'app'),
      machines: Object.fromEntries(
        containers.map(({ arch, root }) => [
          arch,
          { node: join(root, 'usr/local/bin/node'), packages: join(root, 'app', PACKAGES) },
        ]),
      ),
    })
  } finally {
    for (const { container } of containers) buildah.run('rm', container)
  }
}

export function packPrograms({ version, app, machines, file }: Built & Packed) {
  const folder = mkdtempSync(join(shipDirectory(), 'release-'))
  const name = `gatehouse-${version}`
  const root = join(folder, name)
  const programs = join(root, 'programs')
  try {
    mkdirSync(root)
    for (const [from, to] of Object.entries(FILES))
      cpSync(join(CHECKOUT, from), join(root, to), { recursive: true })
    for (const empty of ['site', 'tls']) mkdirSync(join(root, empty))
    writeFileSync(join(root, 'VERSION'), `${version}\n`)
    for (const part of PROGRAMS)
      cpSync(join(app, part), join(programs, part), {
        recursive: true,
        filter: (source) => source !== join(app, PACKAGES),
      })
    for (const [arch, { node, packages }] of Object.entries(machines)) {
      cpSync(node, join(programs, 'bin', `node-${arch}`))
      cpSync(packages, join(programs, 'packages', arch), { recursive: true })
    }
    cpSync(join(CHECKOUT, 'ops'), join(programs, 'ops'), {
      recursive: true,
      filter: (source) => !source.includes('/ops/drills'),
    })
    symlinkSync('ops/server/gatehouse', join(programs, 'gatehouse'))
    execFileSync('tar', [...SAME, '--mode=go=rX,u+rw', '-C', folder, '-czf', `${file}.new`, name])
    renameSync(`${file}.new`, file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Packed = { version: string; file: string }

const PROGRAMS = [
  'package.json',
  'api/dist',
  'api/migrations',
  'web/dist',
  'web/dist-server',
  'sample',
  '.build/model-paths',
  '.build/reading-paths',
]
