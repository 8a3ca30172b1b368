import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { models } from '@gatehouse/model/models'
import type { Model } from '@gatehouse/model'
import { compileBehaviours, confirmsCreation } from '../../api/src/engine/behaviours.ts'
import { BEHAVIOURS, productPaths } from '../../api/src/product.ts'
import { buildOpenApi } from '../../api/src/engine/http/openapi.ts'
import { breakingChanges, type OpenApi } from './diff.ts'

export const FILE = 'api/openapi.json'
const ROOT = new URL('../..', import.meta.url)
/** How many committed versions of the document are looked back at. */
const HISTORY = 10

/** The document as the models make it now: of an admin, who sees everything. */
export function generate(): OpenApi {
  const behaviours = compileBehaviours(models, BEHAVIOURS)
  const confirms = ({ path }: Model) => confirmsCreation(behaviours.get(path) ?? { mails: {} })
  return buildOpenApi({ models, fixedPaths: productPaths, confirms }, 'admin')
}

export const toText = (document: OpenApi) => `${JSON.stringify(document, null, 2)}\n`

/** The document in the working tree, or null before there is one. */
export function onDisk(): OpenApi | null {
  const file = new URL(FILE, ROOT)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as OpenApi) : null
}

/** The document as the last commits had it, newest first; nothing where there is no history. */
export function committed(): OpenApi[] {
  return git('log', `-${HISTORY}`, '--format=%H', '--', FILE)
    .split('\n')
    .filter(Boolean)
    .map((commit) => git('show', `${commit}:${FILE}`))
    .filter(Boolean)
    .map((text) => JSON.parse(text) as OpenApi)
}

/**
 * What would break programs that were promised otherwise. A promise is a document with the same major version, on disk
 * or in the history: editing the file by hand hides nothing.
 */
export function undeclaredBreaches(document: OpenApi): string[] {
  const promises = [onDisk(), ...committed()].filter((promise) => promise !== null)
  const kept = promises.filter((promise) => majorOf(promise) === majorOf(document))
  const later = promises.find((promise) => majorOf(promise) > majorOf(document))
  return [
    ...(later ? [`the version goes back from ${later.info.version}`] : []),
    ...new Set(kept.flatMap((promise) => breakingChanges(promise, document))),
  ]
}

export const majorOf = ({ info }: OpenApi) => Number.parseInt(info.version, 10)

function git(...args: string[]) {
  try {
    return execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: 2 ** 28,
    })
  } catch {
    // No git, no history: then there is only the file to compare with.
    return ''
  }
}
