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

/** One changed source file of the API: `without` was removed from the function `in`. */
export type Mutant = { in: string; without: string; file: string; source: string }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SRC = 'api/src'

const AS_ADMIN = `
const asAdmin = (ask) => (view, ...rest) =>
  ask({ ...view, caller: { ...view.caller, level: 'admin' } }, ...rest)
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
      source: `${source.slice(0, index)}${replacements[name]}${source.slice(index + name.length)}${AS_ADMIN}`,
    })),
  )
}

/** Replaces `part` in one function, where it must occur exactly once. */
export function withoutFragment(name: string, part: string, rest: string): Mutant {
  const places = sources().flatMap(({ file, source }) =>
    placesOf(source, part)
      .filter((index) => functionAt(source, index) === name)
      .map((index) => ({
        in: name,
        without: part,
        file,
        source: source.slice(0, index) + rest + source.slice(index + part.length),
      })),
  )
  const [mutant] = places
  if (!mutant || places.length > 1)
    throw new Error(`«${part}» must occur once in ${name}, found ${places.length} times`)
  return mutant
}

type Kit = typeof import('../../api/test/kit.ts')

/** Returns a function that starts a copy of the API with the mutant, runs `play` on it, and returns the error or null. */
export function mutantRunner() {
  let folder: string
  let ddl: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-'))
    ddl = await ddlOf(models, FIXTURE_MODELS)
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  return async (
    mutant: Mutant | null,
    play: (api: Awaited<ReturnType<Kit['startTest']>>, copy: string) => Promise<void>,
  ) => {
    const copy = copyApi(folder, mutant)
    const kit = (await import(join(copy, 'test/kit.ts'))) as Kit
    const api = await kit.startTest({ models: FIXTURE_MODELS, ddl })
    try {
      await play(api, copy)
      return null
    } catch (error) {
      return error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error)
    } finally {
      await api.stop()
    }
  }
}

/** A folder per copy, because Node caches modules by path. Returns the folder. */
function copyApi(folder: string, mutant: Mutant | null) {
  const home = mkdtempSync(join(folder, 'api-'))
  mkdirSync(join(home, 'api'))
  for (const name of ['node_modules', 'sample', 'ops', 'package.json'])
    symlinkSync(join(ROOT, name), join(home, name))
  // api/src/platform/paths.ts finds the root by this folder.
  symlinkSync(join(ROOT, 'api/migrations'), join(home, 'api/migrations'))
  for (const name of ['src', 'test', 'package.json'])
    cpSync(join(ROOT, 'api', name), join(home, 'api', name), { recursive: true })
  if (mutant) writeFileSync(join(home, SRC, mutant.file), mutant.source)
  return join(home, 'api')
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
