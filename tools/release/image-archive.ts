import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { installMissing } from '../stack/debian.ts'
import type { Buildah } from './buildah.ts'
import { shipDirectory } from './debian-base.ts'

type Manifest = { Config: string; Layers: string[]; RepoTags: string[] }[]

/**
 * One archive of all images for `docker load`. buildah writes one image into an archive; here their layers, most of which are
 * shared, are joined under one manifest.
 */
export function archiveImages(
  buildah: Buildah,
  { images, file }: { images: { stored: string; name: string }[]; file: string },
) {
  installMissing({ pigz: '/usr/bin/pigz' })
  const folder = mkdtempSync(join(shipDirectory(), 'archive-'))
  try {
    const all = join(folder, 'all')
    mkdirSync(all)
    const manifest = images.flatMap(({ stored, name }) => addImage(buildah, { stored, name, all }))
    writeFileSync(join(all, 'manifest.json'), JSON.stringify(manifest))
    execFileSync('tar', [...SAME, '-C', all, '-I', 'pigz', '-cf', `${file}.new`, '.'])
    renameSync(`${file}.new`, file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Equal files give equal archives, regardless of time and owner. */
export const SAME = [
  '--sort=name',
  '--mtime=@0',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--format=gnu',
]

function addImage(
  buildah: Buildah,
  { stored, name, all }: { stored: string; name: string; all: string },
): Manifest {
  const one = mkdtempSync(`${all}-one-`)
  const tar = `${one}.tar`
  buildah.run('push', '--quiet', stored, `docker-archive:${tar}:${name}`)
  execFileSync('tar', ['-C', one, '-xf', tar])
  rmSync(tar)
  const manifest = JSON.parse(readFileSync(join(one, 'manifest.json'), 'utf8')) as Manifest
  // Named by their content, so an existing one is the same. The folders are of an older format.
  for (const entry of readdirSync(one, { withFileTypes: true })) {
    if (!entry.isFile() || ['manifest.json', 'repositories'].includes(entry.name)) continue
    if (!existsSync(join(all, entry.name))) renameSync(join(one, entry.name), join(all, entry.name))
  }
  rmSync(one, { recursive: true, force: true })
  return manifest
}
