import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { fingerprintMismatch } from '../../api/src/build-fingerprint.ts'
import { siteFolderOf } from '../../api/src/platform/paths.ts'
import { isBuilt } from './built.ts'
import { withoutSite } from './workspace.ts'
import { CHECKOUT } from '../stack/settings.ts'

export const API_PROGRAM = 'api/dist/server.js'

const API = {
  sources: [
    'api/build.ts',
    'api/src',
    'api/unbundled-packages.ts',
    'model/src',
    'tools/db/migrate.ts',
    'tools/realm',
    'tools/site',
    'ops/doctor',
    'package-lock.json',
  ],
  built: [
    API_PROGRAM,
    'api/dist/migrate.js',
    'api/dist/doctor.js',
    'api/dist/write-pages.js',
    'api/dist/write-previews.js',
    'api/dist/print.js',
  ],
}

export const isApiBuilt = (root = CHECKOUT) =>
  isBuilt(root, API) &&
  !fingerprintMismatch(join(root, 'api/dist'), siteFolderOf(envOf(root), pathToFileURL(`${root}/`)))

export async function buildApi(root = CHECKOUT) {
  if (isApiBuilt(root)) return
  await promisify(execFile)(process.execPath, ['api/build.ts'], { cwd: root, env: envOf(root) })
}

const envOf = (root: string) => (resolve(root) === CHECKOUT ? process.env : withoutSite())
