import { defineModel, np } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, startTest, type Test } from '../../../test/kit.ts'
import { fixture } from '../../../test/fixture.ts'
import {
  buildOracle,
  type Command,
  type RecordedStep,
  type Oracle,
  type Outcome,
  type Values,
} from '../../../test/undo-oracle.ts'

const SEQUENCES = fixture.name === 'product' ? 1_000 : 200
/** Sequences run in parallel, to keep API and database busy. */
const AT_ONCE = 4
const TITLES = ['one', 'two', 'three', 'four']
/** UNDO_SEED reproduces a failure. */
const SEED = Number(process.env['UNDO_SEED'] ?? Date.now() % 2 ** 31)

const notes = defineModel({
  name: 'Note',
  title: 'Notes',
  path: 'notes',
  displayField: 'title',
  access: { list: 'admin', get: 'admin', create: 'admin', update: 'admin', delete: 'admin' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    title: { type: 'text', label: 'Title', required: true, unique: true, privacy: np },
    parent: { type: 'relation', label: 'Parent', to: 'notes', onDelete: 'cascade', privacy: np },
  },
})

let t: Test
let authorization: string
beforeAll(async () => {
  t = await startTest({ models: [...fixture.models, notes] })
  authorization = `Bearer ${await t.tokenOf(ADMIN)}`
})
afterAll(() => t.stop())

const kinds = ['create', 'create', 'update', 'delete', 'restore', 'revert', 'undo', 'undo'] as const
const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom(...kinds),
  target: fc.nat({ max: 9 }),
  title: fc.nat({ max: TITLES.length - 1 }),
  parent: fc.nat({ max: 5 }),
})
const sequence = fc.array(command, { minLength: 4, maxLength: 7 })

test(
  `${SEQUENCES} random sequences of changes and undos end in the same state as an in-memory oracle`,
  { timeout: 300_000 },
  async () => {
    const started = performance.now()
    const counts = new Map<string, number>()
    const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(sequence, { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (several) => {
          await Promise.all(several.map((commands) => play(commands, `r${++run}`, count)))
        },
      ),
      { seed: SEED, numRuns: SEQUENCES / AT_ONCE },
    )
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const reported = [...counts].map(([what, count]) => `${what} ×${count}`).toSorted()
    console.log(`seed ${SEED}, ${run} sequences, ${seconds} s: ${reported.join(', ')}`)
    // A rare outcome would be compared too seldom to mean anything.
    for (const what of ['undo 200', 'undo 409', 'restore 200', 'revert 200', 'delete 204'])
      expect(counts.get(what), what).toBeGreaterThan(20)
  },
)

/** Runs a sequence against API and oracle; `prefix` keeps its titles unique. */
async function play(commands: Command[], prefix: string, count: (what: string) => void) {
  const oracle = buildOracle()
  const operations: { id: string; steps: NonNullable<Outcome['operation']> }[] = []
  for (const { kind, target, title, parent } of [{ ...FIRST }, ...commands]) {
    const chosen = oracle.notes[target % oracle.notes.length]
    const values: Values = {
      title: `${prefix} ${TITLES[title]}`,
      parent: oracle.notes[parent]?.id ?? null,
    }
    const version = 1 + (title % (chosen?.version ?? 1))
    const operation = operations[operations.length - 1 - (target % (operations.length || 1))]
    const url = { create: '/api/notes', undo: `/api/operations/${operation?.id}/undo` }
    const body = { create: values, update: values, revert: { version }, restore: {} }
    const response = await t.app.inject({
      method: METHODS[kind],
      url: Reflect.get(url, kind) ?? `/api/notes/${chosen?.id}${SUFFIXES[kind] ?? ''}`,
      headers: { authorization },
      ...(kind in body ? { payload: Reflect.get(body, kind) } : {}),
    })
    const expected = foretell(oracle, {
      kind,
      values,
      chosen,
      version,
      steps: operation?.steps ?? [],
      id: () => response.json().id,
    })
    expect([kind, response.statusCode, response.body.slice(0, 300)]).toEqual([
      kind,
      expected.status,
      expect.anything(),
    ])
    count(`${kind} ${expected.status}`)
    const id = response.headers['operation-id']
    expect(id !== undefined, `${kind} ${response.body}`).toBe(expected.operation !== null)
    if (expected.operation) operations.push({ id: String(id), steps: expected.operation })
  }
  const rows = await t.db.query(
    sql`select id, title, parent, version, deleted_at is not null as "isTrashed" from notes
      where title like ${`${prefix} %`} order by id`,
  )
  expect(rows).toEqual(oracle.notes.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
}

type Told = {
  kind: Command['kind']
  values: Values
  chosen: RecordedStep | undefined
  version: number
  steps: NonNullable<Outcome['operation']>
  id: () => string
}

function foretell(oracle: Oracle, { kind, values, chosen, version, steps, id }: Told): Outcome {
  if (kind === 'create') return oracle.create(values, id)
  if (kind === 'undo') return oracle.undo(steps)
  if (!chosen) return { status: 404, operation: null }
  return kind === 'revert' ? oracle.revert(chosen, version) : oracle[kind](chosen, values)
}

const FIRST: Command = { kind: 'create', target: 0, title: 0, parent: 9 }

const METHODS = {
  create: 'POST',
  update: 'PUT',
  delete: 'DELETE',
  restore: 'POST',
  revert: 'POST',
  undo: 'POST',
} as const

const SUFFIXES: Partial<Record<Command['kind'], string>> = {
  restore: '/restore',
  revert: '/restore',
}
