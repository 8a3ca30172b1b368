import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fingerprintMismatch } from '../../api/src/build-fingerprint.ts'
import { isBuilt } from '../build/built.ts'
import { runLogged } from './process.ts'
import { CHECKOUT } from './settings.ts'

export const WEB_ROOT = resolve(CHECKOUT, 'web', process.env['WEB_DIST'] ?? 'dist')
const WEB = {
  sources: [
    'web',
    'model/src',
    'package-lock.json',
    // Used by the build; of the site's folder only code is, which the fingerprint compares.
    'api/src/pages/brand-files.ts',
    'tools/notice/export-for-web.ts',
  ],
  /** The last files the build writes. */
  built: ['web/dist/theme.js.br', 'web/dist-server/build-id'],
}

/** Where the API writes the pages of this build. */
export const pagesFolder = (pages: string) =>
  join(pages, readFileSync(join(CHECKOUT, 'web/dist-server/build-id'), 'utf8'))

/** Built from another SITE_DIR, the files may be newer than their sources and still wrong. */
export const isWebBuilt = () =>
  isBuilt(CHECKOUT, WEB) && !fingerprintMismatch(join(CHECKOUT, 'web/dist-server'))

/** Its output is in `web.log` of the folder. */
export async function buildWeb(state: string) {
  if (!isWebBuilt()) await runLogged({ name: 'web', state }, 'npm', ['run', 'build', '-w', 'web'])
}
