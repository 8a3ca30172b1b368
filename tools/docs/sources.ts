import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIELD_TYPES, type Claims, type Model, type TypeFacts } from '@gatehouse/model'
import { claims, models } from '@gatehouse/model/models'
import { parseSource, type Source } from './parse-source.ts'
import { CHECKOUT } from '../stack/settings.ts'

/** Everything the pages are generated from; a test passes changed ones. */
export type Sources = {
  fieldTypes: Record<string, TypeFacts>
  models: readonly Model[]
  claims: Claims
  /** Text of a file of the repository. */
  read: (path: string) => string
  parse: (path: string) => Promise<Source>
  /** Sources of the API without tests. */
  apiFiles: readonly string[]
}

export const readRepository = (path: string) => readFileSync(join(CHECKOUT, path), 'utf8')

export function buildSources(changes: Partial<Omit<Sources, 'parse'>> = {}): Sources {
  const read = changes.read ?? readRepository
  const parsed = new Map<string, Promise<Source>>()
  const parse = (path: string) => {
    const source = parsed.get(path) ?? parseSource(read(path))
    parsed.set(path, source)
    return source
  }
  const apiFiles = globSync('api/src/**/*.ts', { cwd: CHECKOUT })
    .filter((path) => !/\.test(-d)?\.ts$/.test(path))
    .toSorted()
  return { fieldTypes: FIELD_TYPES, models, claims, apiFiles, ...changes, read, parse }
}
