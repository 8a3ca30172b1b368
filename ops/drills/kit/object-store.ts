import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { request as requestClear, type ClientRequest } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { installGoPrograms, mayUse } from './go-programs.ts'

const PORT = 7443
const KEY = 'drill-key'
const REGION = 'us-east-1'
const SECRET = 'drill/secret+of=key'
const READY_TRIES = 100

const SERVER = {
  name: 'versitygw',
  version: '1.2.0',
  module: 'github.com/versity/versitygw',
  programs: ['versitygw'],
}

/** `disk`, and `bucket` where a test may use the S3 server. */
export const testedStores = () =>
  mayUse(SERVER) ? (['disk', 'bucket'] as const) : (['disk'] as const)

type Settings = {
  directory: string
  address: string
  port?: number
  /** Name that its clients use. */
  host: string
  /** Without one it speaks http. */
  certificate?: { file: string; key: string }
}

/** versitygw, an S3 server, with one bucket. */
export async function startObjectStore({
  directory,
  address,
  port = PORT,
  host,
  certificate,
}: Settings) {
  const folder = installGoPrograms(SERVER)
  const data = join(directory, 'objects')
  const bucket = 'backups'
  mkdirSync(join(data, bucket), { recursive: true })
  const log = join(directory, 'object-store.log')
  const output = openSync(log, 'w')
  // Ends with the drill, even if that is killed.
  const server = spawn(
    'setpriv',
    [
      ['--pdeathsig', 'TERM', join(folder, 'versitygw')],
      ['--access', KEY, '--secret', SECRET, '--region', REGION],
      ['--port', `${address}:${port}`],
      certificate ? ['--cert', certificate.file, '--key', certificate.key] : [],
      ['posix', data],
    ].flat(),
    { stdio: ['ignore', output, output] },
  )
  const ask = () =>
    certificate
      ? request({ host: address, port, servername: host, ca: readFileSync(certificate.file) })
      : requestClear({ host: address, port })
  const stop = async () => {
    if (server.exitCode !== null) return
    server.kill()
    await once(server, 'exit')
  }
  for (let tries = 0; !(await responds(ask)); tries++) {
    if (tries === READY_TRIES || server.exitCode !== null) {
      await stop()
      throw new Error(`The S3 server did not start: ${readFileSync(log, 'utf8')}`)
    }
    await setTimeout(100)
  }
  const origin = `${certificate ? 'https' : 'http'}://${host}:${port}`
  return {
    origin,
    bucket,
    credentials: { accessKeyId: KEY, secretAccessKey: SECRET, region: REGION },
    /** Where its objects are files. */
    folder: join(data, bucket),
    /** Answers of `init`. */
    answers: {
      BACKUP_BUCKET: `${origin}/${bucket}`,
      BACKUP_S3_KEY: KEY,
      BACKUP_S3_SECRET: SECRET,
    },
    stop,
  }
}

async function responds(ask: () => ClientRequest) {
  try {
    const [response] = await once(ask().setHeader('connection', 'close').end(), 'response')
    response.resume()
    return true
  } catch {
    return false
  }
}
