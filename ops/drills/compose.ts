import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KEYCLOAK_VERSION } from '../../tools/stack/keycloak.ts'
import { freePort } from '../../tools/stack/settings.ts'
import { startBuildah, type Buildah } from './kit/containers/buildah.ts'
import { createCertificate } from './kit/certificate.ts'
import { runChecks } from './compose-checks.ts'
import { startProject } from './kit/containers/compose-project.ts'
import { shipDirectory } from './kit/containers/debian.ts'
import { startDocker, type Docker } from './kit/containers/docker.ts'
import { report, seconds } from './kit/results.ts'
import { externalClient } from './kit/http-clients.ts'

const CHECKOUT = new URL('../..', import.meta.url).pathname
const SITE_HOST = new URL(
  (
    JSON.parse(readFileSync(join(CHECKOUT, 'sample/site.json'), 'utf8')) as {
      site: { url: string }
    }
  ).site.url,
).hostname
/** Differs from .env.example, so that a hard-coded value fails the drill. */
const IDENTITY_HOST = 'people.gatehouse.test'
/** User that must be able to read the key, as in .env.example. */
const WWW_DATA = 33

/**
 * Runs the unchanged compose.yaml on a real engine, with our images built from the Containerfile and stand-ins for the two
 * from a registry.
 */
export async function compose() {
  const started = Date.now()
  const buildah = startBuildah()
  const images = await buildImages(buildah)
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-compose-'))
  chmodSync(directory, 0o755)
  const docker = await startDocker(directory, buildah)
  try {
    for (const image of images) docker.load(image)
    // Older images, untagged by the build.
    docker.docker('image', 'prune', '--force')
    const results = await tryOut(docker, directory)
    return report('compose', results, `all in ${seconds(started)} s`)
  } finally {
    await docker.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function buildImages(buildah: Buildah) {
  const log = join(shipDirectory(), 'compose.log')
  for (const target of ['api', 'site']) await buildah.build(target, log)
  const others = {
    'postgres:17': join(CHECKOUT, 'ops/drills/stubs/postgres'),
    [`keycloak/keycloak:${KEYCLOAK_VERSION}`]: join(
      CHECKOUT,
      `.tools/keycloak-${KEYCLOAK_VERSION}`,
    ),
  }
  for (const [tag, context] of Object.entries(others)) {
    const file = `stubs/${tag.split(/[:/]/)[0]}/Containerfile`
    await buildah.buildStandIn({ tag, file, context }, log)
  }
  return ['gatehouse-api', 'gatehouse-site', ...Object.keys(others)]
}

async function tryOut(docker: Docker, directory: string) {
  const [https, http] = [await freePort(), await freePort()]
  const secret = () => randomBytes(16).toString('hex')
  const realmSecret = secret()
  const tls = join(directory, 'tls')
  mkdirSync(tls)
  const { file, key } = createCertificate(tls, SITE_HOST, IDENTITY_HOST)
  chownSync(key, WWW_DATA, WWW_DATA)
  chmodSync(key, 0o400)
  const env = {
    SITE_HOST,
    IDENTITY_HOST,
    TLS_DIRECTORY: tls,
    HTTP_PORT: http,
    HTTPS_PORT: https,
    POSTGRES_PASSWORD: secret(),
    APP_PASSWORD: secret(),
    MIGRATE_PASSWORD: secret(),
    KEYCLOAK_DB_PASSWORD: secret(),
    REALM_SECRET: realmSecret,
    IDENTITY_SERVICE_SECRET: secret(),
  }
  const envFile = join(directory, 'env')
  writeFileSync(
    envFile,
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  const project = startProject({ docker, envFile })
  try {
    return await runChecks({
      docker,
      project,
      realmSecret,
      visit: externalClient({ port: https, certificate: readFileSync(file, 'utf8') }),
      http,
      site: `https://${SITE_HOST}`,
      identity: `https://${IDENTITY_HOST}`,
    })
  } finally {
    project.remove()
  }
}
