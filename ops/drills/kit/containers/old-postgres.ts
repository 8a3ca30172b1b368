import { join } from 'node:path'
import { startBuildah } from '../../../../tools/release/buildah.ts'
import { shipDirectory } from '../../../../tools/release/debian-base.ts'
import { CHECKOUT } from '../../../../tools/stack/settings.ts'
import { loadImages, type Docker } from './docker.ts'

/** Stands for a release that was built on Debian 12, whose image an installation keeps for its cluster. */
export const OLD_POSTGRES = { major: 15, version: '0.0.15' }
const IMAGE = `localhost/gatehouse/postgres:${OLD_POSTGRES.version}`

export async function loadOldPostgres(docker: Docker, folder: string) {
  const buildah = startBuildah()
  await buildah.build({
    tag: IMAGE,
    file: join(CHECKOUT, 'Containerfile'),
    context: CHECKOUT,
    target: 'postgres',
    log: join(shipDirectory(), 'old-postgres.log'),
    args: [
      `--build-arg=BASE=${buildah.base('bookworm')}`,
      `--build-arg=POSTGRES_MAJOR=${OLD_POSTGRES.major}`,
    ],
  })
  loadImages(docker, { buildah, folder, images: [IMAGE] })
}
