import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FIELD_TYPES } from '@gatehouse/model'
import { copyWorkspace } from '../build/workspace.ts'
import { DURATION, TYPES_FILE } from './duration-type.ts'
import { add } from './sample-changes.ts'

const SET_UP_TIMEOUT_MS = 240_000
const TSC = new URL('../../node_modules/.bin/tsc', import.meta.url).pathname
/** Everything that reads facts: the tables of model, api and web. */
const ENTRIES = [
  'model/src/index.ts',
  'api/src/engine/build-tables.ts',
  'api/src/engine/query/column-values.ts',
  'web/src/records/filter/value-input.tsx',
  'web/src/records/shared/cell.tsx',
  'web/src/forms/record-row.tsx',
]

/** Facts of the row, and parts of one. */
const FACTS: [name: string, line: RegExp][] = [
  ...Object.keys(FIELD_TYPES.integer).map((name): [string, RegExp] => [
    name,
    new RegExp(String.raw`^    ${name}: .*\n`, 'm'),
  ]),
  ['number.limit', /limit: [\d_]+, /],
  ['number.step', /, step: null/],
]

/** Lines of DURATION that add a renderer to a table, by file. */
const RENDERERS = DURATION.filter(
  ({ file, text }) => file !== TYPES_FILE && /^ {2}duration:/.test(text),
)

let copy: string
/** Errors of each file that does not compile. */
let errors: Map<string, string[]>
/** Files of the copy that miss one fact or renderer, and what. */
const missing = new Map<string, string>()

beforeAll(() => {
  copy = copyWorkspace()
  add(copy, DURATION)
  const row = DURATION[0]?.text ?? ''
  for (const [name, line] of FACTS)
    writeWithout(TYPES_FILE, `fact ${name}`, row, row.replace(line, ''))
  for (const { file, text } of RENDERERS) writeWithout(file, `renderer in ${file}`, text, '')
  const settings = { extends: './tsconfig.json', include: [...ENTRIES, ...missing.keys()] }
  writeFileSync(join(copy, 'tsconfig.duration.json'), JSON.stringify(settings))
  const { stdout } = spawnSync(TSC, ['-p', 'tsconfig.duration.json'], {
    cwd: copy,
    encoding: 'utf8',
  })
  // Lines that continue a message are indented.
  const messages = stdout.split(/\n(?=\S)/).filter(Boolean)
  errors = Map.groupBy(messages, (message) => message.split('(')[0] ?? '')
}, SET_UP_TIMEOUT_MS)

afterAll(() => rmSync(copy, { recursive: true, force: true }))

function writeWithout(file: string, what: string, part: string, rest: string) {
  const source = readFileSync(join(copy, file), 'utf8')
  const without = source.replace(part, () => rest)
  if (without === source) throw new Error(`nothing to leave out: ${what}`)
  const name = file.replace(/(?=\.tsx?$)/, `-${missing.size}`)
  writeFileSync(join(copy, name), without)
  missing.set(name, what)
}

test('a new field type touches four production files', () => {
  expect(new Set(DURATION.map(({ file }) => file)).size).toBe(4)
})

test('a new field type with all its facts and renderers compiles', () => {
  expect([...errors].filter(([file]) => !missing.has(file))).toEqual([])
})

test('a field type without one of its facts or renderers does not compile', () => {
  expect([...missing.values()]).toEqual([
    ...FACTS.map(([name]) => `fact ${name}`),
    ...RENDERERS.map(({ file }) => `renderer in ${file}`),
  ])
  expect(RENDERERS).toHaveLength(3)
  for (const [file, what] of missing) {
    const name = /^fact (?:\w+\.)?(\w+)$/.exec(what)?.[1] ?? 'duration'
    expect(errors.get(file)?.join('\n'), what).toContain(`Property '${name}' is missing`)
  }
})

test('a duration is shown and typed as hours and minutes, and sent as minutes', () => {
  expect(
    run(`
    import { checkModels, defineModel, np, valueSchema } from '@gatehouse/model'
    import { provideParts } from './web/src/base/site-data.ts'
    import config from './sample/site.json' with { type: 'json' }
    // Modules of pages read the site when they are imported.
    provideParts({ site: { config, language: 'en' } })
    const { startValues, toBody } = await import('./web/src/forms/inputs/values.ts')
    const { valueText } = await import('./web/src/records/shared/value-text.ts')
    const { fromDraft, toDraft } = await import('./web/src/records/query/filter-draft.ts')
    const field = { name: 'spent', label: 'Spent', type: 'duration' }
    const typed = (text) => toBody([field], { spent: text }).spent
    const model = defineModel({
      name: 'Job', title: 'Jobs', path: 'jobs', displayField: 'name',
      access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'admin' },
      privacy: { subject: 'none', retention: 'customer', onErase: 'null' },
      fields: {
        name: { type: 'text', label: 'Name', required: true, privacy: np },
        spent: { type: 'duration', label: 'Spent', default: 30, min: 0, sortable: true, privacy: np },
      },
    })
    const chip = [['spent', 'gte', 90]]
    console.log(JSON.stringify({
      mistakes: checkModels([model], {}),
      rules: valueSchema(model.fields.spent),
      sent: ['1:30', '0:05', '-2:00', '', 'soon'].map(typed),
      unchanged: toBody([field], startValues([field], { spent: 90 }), { spent: 90 }).spent,
      input: startValues([field], { spent: 65 }).spent,
      cell: valueText(field, { spent: 605 }),
      filter: toDraft(chip, [field]).values,
      condition: fromDraft(toDraft(chip, [field]), field),
    }))
  `),
  ).toEqual({
    mistakes: [],
    rules: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
    sent: [90, 5, -120, null, 'soon'],
    unchanged: 90,
    input: '1:05',
    cell: '10:05',
    filter: ['1:30'],
    condition: [['spent', 'gte', 90]],
  })
})

const run = (script: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: copy,
      encoding: 'utf8',
    }),
  )
