import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import {
  homeOf,
  installKeycloak,
  isKeycloakInstalled,
  KEYCLOAK_VERSION,
} from '../stack/keycloak.ts'
import type { Buildah } from './buildah.ts'
import { emulate, OWN_ARCHITECTURE, shipDirectory, type Architecture } from './debian-base.ts'

const CHECKOUT = new URL('../..', import.meta.url).pathname
const REGISTRY = 'localhost/gatehouse'
/** Targets of the Containerfile; each is an image. Keycloak has a file of its own. */
const TARGETS = ['builder', 'api', 'print', 'site', 'certbot', 'postgres']
export const IMAGES = [...TARGETS, 'keycloak']

/** The names of processors in packages for Node. */
const CPUS: Record<Architecture, string> = { amd64: 'x64', arm64: 'arm64' }

/** As compose.yaml names it. */
export const imageName = (image: string, version: string) => `${REGISTRY}/${image}:${version}`

/** In the storage of buildah, which has one image of a name. */
export const storedName = (image: string, version: string, arch: Architecture) =>
  imageName(image, arch === OWN_ARCHITECTURE ? version : `${version}-${arch}`)

type Built = {
  version: string
  arch: Architecture
  log: string
  /** Default: all. */
  images?: string[]
}

export async function buildImages(
  buildah: Buildah,
  { version, arch, log, images = IMAGES }: Built,
) {
  if (arch !== OWN_ARCHITECTURE) emulate(arch)
  writeFileSync(log, '')
  for (const target of TARGETS.filter((one) => images.includes(one)))
    await buildah.build({
      tag: storedName(target, version, arch),
      file: join(CHECKOUT, 'Containerfile'),
      context: CHECKOUT,
      arch,
      target,
      log,
      args: [`--build-arg=TARGET_CPU=${CPUS[arch]}`],
    })
  if (images.includes('keycloak')) await buildKeycloak(buildah, { version, arch, log })
}

async function buildKeycloak(buildah: Buildah, { version, arch, log }: Built) {
  if (!isKeycloakInstalled()) installKeycloak()
  const context = mkdtempSync(join(shipDirectory(), 'keycloak-'))
  const files = join(CHECKOUT, 'ops/keycloak')
  try {
    mkdirSync(join(context, 'distribution'))
    // Linked, not copied: 200 MB. Its data are those of this checkout's stack.
    const parts = ['bin', 'conf', 'lib', 'providers', 'themes', 'version.txt', 'LICENSE.txt']
    const sources = parts.map((part) => join(homeOf(), part))
    execFileSync('cp', ['-al', ...sources, join(context, 'distribution')])
    for (const name of ['password-blacklists', 'start.sh'])
      cpSync(join(files, name), join(context, name), { recursive: true })
    cpSync(join(CHECKOUT, 'ops/read-secret.sh'), join(context, 'read-secret.sh'))
    const file = join(files, 'Containerfile')
    await buildah.build({
      tag: storedName('keycloak', version, arch),
      file,
      context,
      arch,
      log,
      args: [`--build-arg=KEYCLOAK_VERSION=${KEYCLOAK_VERSION}`],
    })
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
}
