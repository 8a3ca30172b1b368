import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { dirname, join, resolve } from 'node:path'

/**
 * Root of the checkout or release. Searched upwards, because this module runs from `api/src/platform` and, bundled, from
 * `api/dist/server.js`.
 */
export const ROOT = findRoot(import.meta.dirname)

/** A path below the root; folders end in `/`. */
export const fromRoot = (path: string) => fileURLToPath(new URL(path, ROOT))

export function siteFolderOf({ SITE_DIR }: NodeJS.ProcessEnv, root = ROOT) {
  if (SITE_DIR) return pathToFileURL(`${resolve(SITE_DIR)}/`)
  const own = new URL('site/', root)
  return existsSync(own) ? own : new URL('sample/', root)
}

/** Versions of the privacy notice are a history of this installation: in production they have a folder of their own. */
export const noticeFolderOf = (env: NodeJS.ProcessEnv) =>
  env['NOTICE_DIR']
    ? pathToFileURL(`${resolve(env['NOTICE_DIR'])}/`)
    : new URL('notice/', siteFolderOf(env))

export const SAMPLE_FOLDER = new URL('sample/', ROOT)
export const SITE_FOLDER = siteFolderOf(process.env)

function findRoot(folder: string): URL {
  if (existsSync(join(folder, 'api/migrations'))) return pathToFileURL(`${folder}/`)
  const parent = dirname(folder)
  if (parent === folder)
    throw new Error(`No folder above ${import.meta.dirname} holds api/migrations`)
  return findRoot(parent)
}
