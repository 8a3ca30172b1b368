import { chmod, chown, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteConfig } from '@gatehouse/model'
import { DEMO_SECRETS } from '../../api/src/platform/secrets.ts'
import { freePort, OWNER_PATH } from '../../tools/stack/settings.ts'
import { checkKills } from './files-kill.ts'
import { checkScanner } from './files-scanner.ts'
import { checkManyUploads, checkSizes, checkSlowUploads } from './files-transfers.ts'
import { startApi } from './kit/api-process.ts'
import { startDrillEnvironment, type DrillEnvironment } from './kit/drill-environment.ts'
import { startObjectStore } from './kit/object-store.ts'
import { report, runParts, seconds } from './kit/results.ts'

const SAMPLE = new URL('../../sample', import.meta.url).pathname
/** Of nginx's user on Debian, as in an installation. */
const NGINX_GROUP = 33

export type FilePlace = {
  kind: 'disk' | 'bucket'
  folder: string
  /** Settings of the API. */
  env: Record<string, string>
  /** Settings of nginx. */
  front: Record<string, string>
}

/**
 * Uploads and downloads through nginx, with a folder and with an S3 server: memory of the API for one large file, many at once, slow
 * ones beside others, ClamAV with what it finds and while it is away, and replicas killed while people attach, remove, undo and purge.
 */
export async function files({ isShort }: { isShort: boolean }) {
  const started = Date.now()
  const environment = await startDrillEnvironment()
  // nginx enters it as its own user.
  await chmod(environment.directory, 0o755)
  const store = await startObjectStore({
    directory: environment.directory,
    address: '127.0.0.1',
    host: '127.0.0.1',
    port: await freePort(),
  })
  try {
    // Its tables are created outside the measured times.
    await (await startApi({ env: environment.env })).stop()
    const disk = await placeIn(environment, 'disk', {})
    const bucket = await placeIn(environment, 'bucket', {
      FILES_BUCKET: `${store.origin}/${store.bucket}`,
      FILES_S3_KEY: store.credentials.accessKeyId,
      FILES_S3_SECRET: store.credentials.secretAccessKey,
      SITE_DIR: await siteWithRecipient(environment.directory),
    })
    const options = { environment, isShort }
    const results = await runParts({
      'size on disk': () => checkSizes(disk, options),
      'size in a bucket': () => checkSizes(bucket, options),
      'many at once': () => checkManyUploads(disk, options),
      'slow ones': () => checkSlowUploads(disk, options),
      // Installs ClamAV, and waits for what is asked each minute.
      ...(isShort ? {} : { scanner: () => checkScanner(disk, options) }),
      'kills on disk': () => checkKills(disk, options),
      'kills with a bucket': () => checkKills(bucket, options),
    })
    return report('files', results, `${seconds(started)} s`)
  } finally {
    await store.stop()
    await environment.close()
  }
}

/** The privacy notice must name the host of a bucket. */
async function siteWithRecipient(directory: string) {
  const folder = join(directory, 'site')
  await cp(SAMPLE, folder, { recursive: true })
  const file = join(folder, 'site.json')
  const config = JSON.parse(await readFile(file, 'utf8')) as SiteConfig
  const [host] = config.recipients
  if (host) config.recipients.push({ ...host, id: 'files' })
  await writeFile(file, JSON.stringify(config))
  return folder
}

async function placeIn(
  { directory, env }: DrillEnvironment,
  kind: FilePlace['kind'],
  settings: Record<string, string>,
): Promise<FilePlace> {
  const folder = join(directory, `files-${kind}`)
  await mkdir(folder)
  if (process.getuid?.() === 0) await chown(folder, 0, NGINX_GROUP)
  await chmod(folder, 0o2750)
  const own = { FILES_DIR: folder, FILES_MAX_MB: '1024', ...settings }
  return {
    kind,
    folder,
    env: { ...env, ...own, OIDC_OWNER_PATH: OWNER_PATH, SIGNING_SECRET: DEMO_SECRETS.signing },
    front: own,
  }
}
