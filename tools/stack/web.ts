import { join, resolve } from 'node:path'
import { findOtherSite } from '../../api/src/built-from.ts'
import { isBuilt } from '../checks/built.ts'
import { CHECKOUT } from './settings.ts'

export const WEB_ROOT = resolve(CHECKOUT, 'web', process.env['WEB_DIST'] ?? 'dist')
const WEB = {
  sources: [
    'web',
    'model/src',
    'sample',
    'site',
    'package-lock.json',
    // The privacy notice is made from these.
    'tools/notice/for-web.ts',
    'api/src/privacy',
  ],
  /** Of everything that is built, what is written last. */
  built: ['web/dist/index.html.br', 'web/dist-server/server.js'],
}

/** A second stack of the same checkout then leaves the files alone, which the first one is serving. */
export const isWebBuilt = () =>
  isBuilt(CHECKOUT, WEB) && !findOtherSite(join(CHECKOUT, 'web/dist-server'))
