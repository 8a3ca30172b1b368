import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll } from 'vitest'
import { ddlOf } from '../../api/test/kit.ts'
import { FIXTURE_MODELS } from '../../api/test/scope-fixture.ts'

/** Most mutants fail immediately; the rarest takes minutes on a busy machine. */
export const TEST_TIMEOUT_MS = 240_000

/** One expression of the API's source: `without` was removed from the function `in`. */
export type Mutant = {
  in: string
  without: string
  file: string
  index: number
  length: number
  /** The source that chooses between both forms while the API runs. */
  switched: (number: number) => string
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SRC = 'api/src'

/** Appended to every mutated file; declarations, because some expressions run while the module loads. */
const HELPERS = `
function asAdmin(ask) {
  return (view, ...rest) => ask({ ...view, caller: { ...view.caller, level: 'admin' } }, ...rest)
}
function mutated(number, changed, original) {
  return globalThis.mutant === number ? changed : original
}
`

export function withoutCalls(replacements: Record<string, string>): Mutant[] {
  const call = new RegExp(
    String.raw`(?<!function )\b(${Object.keys(replacements).join('|')})\(`,
    'g',
  )
  return sources().flatMap(({ file, source }) =>
    [...source.matchAll(call)].map(({ index, 1: name = '' }) => ({
      in: functionAt(source, index),
      without: name,
      file,
      index,
      length: name.length,
      switched: (number) => `mutated(${number}, ${replacements[name]}, ${name})`,
    })),
  )
}

/** Replaces an expression in one function, where it must occur exactly once, followed by `next`. */
export const withoutExpression = (name: string, part: string, rest: string, next = '') =>
  withoutFragment(name, part + next, (number) => `mutated(${number}, ${rest}, ${part})${next}`)

/** Replaces a part of a statement, inside a template of `sql`, in one function, where it must occur exactly once. */
export const withoutSql = (name: string, part: string, rest: string) =>
  withoutFragment(name, part, (number) => `\${mutated(${number}, sql\`${rest}\`, sql\`${part}\`)}`)

function withoutFragment(name: string, part: string, switched: Mutant['switched']): Mutant {
  const places = sources().flatMap(({ file, source }) =>
    placesOf(source, part)
      .filter((index) => functionAt(source, index) === name)
      .map((index) => ({ in: name, without: part, file, index, length: part.length, switched })),
  )
  const [mutant] = places
  if (!mutant || places.length > 1)
    throw new Error(`«${part}» must occur once in ${name}, found ${places.length} times`)
  return mutant
}

type Kit = typeof import('../../api/test/kit.ts')

/**
 * Copies the API with all mutants, of which `globalThis.mutant` selects one or none. Returns a function that starts it with a
 * mutant, runs `play` on it, and returns the error or null.
 */
export function mutantRunner(mutants: Mutant[]) {
  let folder: string
  let ddl: string
  let kit: Kit
  beforeAll(async () => {
    folder = copyApi(mutants)
    kit = (await import(join(folder, 'api/test/kit.ts'))) as Kit
    ddl = await ddlOf(models, FIXTURE_MODELS)
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  return async (
    mutant: Mutant | null,
    play: (api: Awaited<ReturnType<Kit['startTest']>>, copy: string) => Promise<void>,
  ) => {
    Object.assign(globalThis, { mutant: mutant && mutants.indexOf(mutant) })
    const api = await kit.startTest({ models: FIXTURE_MODELS, filesFolder: '/nonexistent', ddl })
    try {
      await play(api, join(folder, 'api'))
      return null
    } catch (error) {
      return error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error)
    } finally {
      await api.stop()
    }
  }
}

function copyApi(mutants: Mutant[]) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-'))
  mkdirSync(join(folder, 'api'))
  for (const name of ['node_modules', 'sample', 'ops', 'tools', 'package.json'])
    symlinkSync(join(ROOT, name), join(folder, name))
  // api/src/platform/paths.ts finds the root by this folder.
  symlinkSync(join(ROOT, 'api/migrations'), join(folder, 'api/migrations'))
  for (const name of ['src', 'test', 'package.json'])
    cpSync(join(ROOT, 'api', name), join(folder, 'api', name), { recursive: true })
  const numbered = mutants.map((mutant, number) => ({ ...mutant, number }))
  for (const [file, inside] of Map.groupBy(numbered, (mutant) => mutant.file)) {
    const path = join(folder, SRC, file)
    // From the end, so that earlier positions stay valid.
    const source = inside
      .toSorted((one, other) => other.index - one.index)
      .reduce(
        (text, { index, length, number, switched }) =>
          text.slice(0, index) + switched(number) + text.slice(index + length),
        readFileSync(path, 'utf8'),
      )
    writeFileSync(path, source + HELPERS)
  }
  return folder
}

const sources = () =>
  readdirSync(join(ROOT, SRC), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, source: readFileSync(join(ROOT, SRC, file), 'utf8') }))

const placesOf = (source: string, part: string) =>
  source
    .split(part)
    .slice(0, -1)
    .map((_, place, before) => before.slice(0, place + 1).join(part).length)

/** The nearest declaration above at column 0, so nested functions don't count. */
const functionAt = (source: string, index: number) =>
  [...source.slice(0, index + 1).matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)].at(
    -1,
  )?.[1] ?? ''
