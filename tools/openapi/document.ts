import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Model } from '@gatehouse/model'
import { models as productModels } from '@gatehouse/model/models'
import {
  compileBehaviours,
  confirmsCreation,
  type AnyBehaviour,
} from '../../api/src/engine/compile-behaviours.ts'
import * as installation from '../../api/src/installation.ts'
import { ROOT, SAMPLE_FOLDER, SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { BEHAVIOURS, productPaths } from '../../api/src/product.ts'
import { buildOpenApi } from '../../api/src/engine/http/openapi.ts'
import { breakingChanges, type OpenApi } from './diff.ts'

export type Document = { document: OpenApi; file: string; changesFile: string; isSite: boolean }

const HISTORY = 10

export const productDocument = (): Document => ({
  document: generate(productModels, BEHAVIOURS),
  file: fileURLToPath(new URL('api/openapi.json', ROOT)),
  changesFile: fileURLToPath(new URL('docs/api-changes.md', ROOT)),
  isSite: false,
})

export const documentsInUse = (): Document[] => [
  productDocument(),
  ...(SITE_FOLDER.href === SAMPLE_FOLDER.href ? [] : [siteDocument()]),
]

function siteDocument(): Document {
  const file = fileURLToPath(new URL('openapi.json', SITE_FOLDER))
  return {
    document: {
      ...(isReleased({ file }) ? {} : { 'x-released': false }),
      ...generate(installation.models, installation.behaviours),
    },
    file,
    changesFile: fileURLToPath(new URL('api-changes.md', SITE_FOLDER)),
    isSite: true,
  }
}

/** A new file says that its API has no clients yet, until `npm run openapi -- --released`. */
const isReleased = ({ file }: Pick<Document, 'file'>) => {
  const known = onDisk({ file })
  return known !== null && known['x-released'] !== false
}

/** As an owner sees it: other roles' documents omit forbidden methods. */
function generate(models: Model[], written: AnyBehaviour[]): OpenApi {
  const behaviours = compileBehaviours(models, written)
  const confirms = ({ path }: Model) => confirmsCreation(behaviours.get(path) ?? { mails: {} })
  return buildOpenApi({ models, fixedPaths: productPaths, confirms }, 'owner')
}

export const serialiseDocument = (document: OpenApi) => `${JSON.stringify(document, null, 2)}\n`

export function onDisk({ file }: Pick<Document, 'file'>): OpenApi | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as OpenApi) : null
}

/** The document in the last commits, newest first; empty without history. */
export function committed({ file }: Document): OpenApi[] {
  const name = relative(fileURLToPath(ROOT), file)
  return git('log', `-${HISTORY}`, '--format=%H', '--', name)
    .split('\n')
    .filter(Boolean)
    .map((commit) => git('show', `${commit}:${name}`))
    .filter(Boolean)
    .map((text) => JSON.parse(text) as OpenApi)
}

/**
 * Undeclared breaking changes against every document with the same major version, on disk or in history, so that editing the
 * file by hand hides nothing. A site has no version and is compared with its file.
 */
export function undeclaredBreakingChanges(one: Document): string[] {
  const { document } = one
  // Nothing has been promised yet.
  if (one.isSite && !isReleased(one)) return []
  const promises = [onDisk(one), ...(one.isSite ? [] : committed(one))].filter(
    (promise) => promise !== null,
  )
  const kept = promises.filter((promise) => majorOf(promise) === majorOf(document))
  const later = promises.find((promise) => majorOf(promise) > majorOf(document))
  return [
    ...(later ? [`the version is lower than ${later.info.version}`] : []),
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
    // Without git only the file is compared.
    return ''
  }
}
