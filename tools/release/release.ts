import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { startBuildah } from './buildah.ts'
import { ARCHITECTURES, OWN_ARCHITECTURE, shipDirectory, type Architecture } from './debian-base.ts'
import { archiveImages } from './image-archive.ts'
import { buildImages, imageName, IMAGES, storedName } from './images.ts'
import { archivePrograms } from './program-archive.ts'

/**
 * `npm run release -- build [--arch amd64,arm64] [--to FOLDER]` writes the files of a release: gatehouse-VERSION.tar.gz, an archive
 * of images for each architecture, and SHA256SUMS. Publishes nothing.
 */
const CHECKOUT = new URL('../..', import.meta.url).pathname

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    arch: { type: 'string', default: OWN_ARCHITECTURE },
    to: { type: 'string', default: join(CHECKOUT, '.build/release') },
  },
})
const architectures = values.arch.split(',').filter(isArchitecture)
if (positionals.join() !== 'build' || architectures.length !== values.arch.split(',').length)
  throw new Error('Usage: npm run release -- build [--arch amd64,arm64] [--to FOLDER]')
await build(resolve(values.to))

async function build(folder: string) {
  const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as {
    version: string
  }
  const buildah = startBuildah()
  mkdirSync(folder, { recursive: true })
  const files: string[] = []
  const write = (name: string, make: (file: string) => void) => {
    make(join(folder, name))
    files.push(name)
    console.log(`${name}  ${Math.round(statSync(join(folder, name)).size / 1e6)} MB`)
  }
  for (const arch of architectures) {
    const log = join(shipDirectory(), `release-${arch}.log`)
    console.log(`Building the images for ${arch}; output in ${log}`)
    await buildImages(buildah, { version, arch, log })
    const images = IMAGES.map((image) => ({
      stored: storedName(image, version, arch),
      name: imageName(image, version),
    }))
    write(`gatehouse-${version}-images-${arch}.tar.gz`, (file) =>
      archiveImages(buildah, { images, file }),
    )
  }
  const builders = Object.fromEntries(
    architectures.map((arch) => [arch, storedName('builder', version, arch)]),
  )
  write(`gatehouse-${version}.tar.gz`, (file) =>
    archivePrograms(buildah, { version, builders, file }),
  )
  await writeSums(folder, files)
}

async function writeSums(folder: string, files: string[]) {
  const lines: string[] = []
  for (const name of files.toSorted()) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, name)), hash)
    lines.push(`${hash.digest('hex')}  ${name}\n`)
  }
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

function isArchitecture(name: string): name is Architecture {
  return ARCHITECTURES.some((one) => one === name)
}
