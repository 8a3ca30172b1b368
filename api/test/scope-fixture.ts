import type { Field, Model } from '@gatehouse/model'
import fc from 'fast-check'
import { snakeCase } from '#engine/table-names.ts'
import { SITE } from './kit.ts'
import { scope } from './scope.ts'
import { below, drawTarget, happens, oneOf, type Draw } from './scope-random.ts'
import { SENTENCES, type Person, type Row } from './scope-oracle.ts'

export const FIXTURE_MODELS = scope.models

/** Words in admin-only fields and nowhere else, so that none may appear in others' responses. */
export const HIDDEN_VALUES = ['quartz', 'onyx', 'topaz', 'beryl', 'garnet']
const WORDS =
  'alpha Bravo charlie delta Echo foxtrot golf Hotel india juliet Kilo lima mike November'.split(
    ' ',
  )

const SIZE = 36
const DAY_MS = 86_400_000

export type ScopeFixture = ReturnType<typeof buildFixture>

export function buildFixture(seed: number) {
  const [world] = fc.sample(
    fc.gen().map((draw) => drawFixture(draw)),
    { seed, numRuns: 1, unbiased: true },
  )
  if (!world) throw new Error('fast-check generated no fixture')
  return world
}

/** A valid value of this type; `place` makes it unique. */
export function drawValue(draw: Draw, field: Field, place: number): unknown {
  const words = field.visibleTo === 'admin' ? HIDDEN_VALUES : WORDS
  const word = () => oneOf(draw, words)
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'markdown':
      // Lower case: one of the unique fields is a slug.
      if (field.unique) return `${word()}-${place}`.toLowerCase()
      return happens(draw, 40) ? word() : `${word()} ${word()}`
    case 'email':
      return `${word().toLowerCase()}${place}@example.test`
    case 'tel':
      return `+353 1 555 010${draw(below, 10)}`
    case 'url':
      return `https://example.test/${word()}`
    case 'integer':
      return draw(below, 10)
    case 'decimal':
      return draw(below, 50) / 10
    case 'boolean':
      return happens(draw, 60)
    case 'date':
      return dayFromNow(draw(below, 5) - 2)
    case 'datetime':
      return `2026-03-0${1 + draw(below, 5)}T08:30:00.${draw(below, 2)}00Z`
    case 'select':
      return oneOf(draw, field.options ?? []).value
    case 'multiselect':
      return field.options
        ? someOf(
            draw,
            field.options.map((option) => option.value),
          )
        : someOf(draw, WORDS.slice(0, 4))
    case 'relation':
    // Files exist only with their rows: `drawFiles`.
    case 'file':
      return null
  }
}

/** A file is named after its field's words and its ID, so that a label or link of a hidden one is noticed. */
const drawFiles = (draw: Draw) => Array.from({ length: 1 + draw(below, 2) }, () => draw(fc.uuid))

const fileNameOf = (field: Field, id: string) =>
  `${field.visibleTo === 'admin' ? HIDDEN_VALUES[0] : WORDS[0]}-${id}.log`

export const toSql = (fixture: ScopeFixture) =>
  [...FIXTURE_MODELS.map((model) => insertRows(model, fixture)), ...insertFiles(fixture)].join('\n')

const insertFiles = ({ rows }: ScopeFixture) =>
  FIXTURE_MODELS.flatMap(({ path, fields }) =>
    Object.entries(fields)
      .filter(([, field]) => field.type === 'file')
      .flatMap(([name, field]) =>
        (rows.get(path) ?? []).flatMap((row) =>
          [row[name] ?? []].flat().map(
            (
              id,
            ) => `insert into files (id, name, type, size, stage, verdict, model, record_id, field)
              values ('${String(id)}', '${fileNameOf(field, String(id))}', 'text/plain', 1, 'attached', 'none',
                '${path}', '${row.id}', '${name}');`,
          ),
        ),
      ),
  )

function insertRows({ path, fields }: Model, { rows }: ScopeFixture) {
  const stored = Object.entries(fields).filter(([, field]) => field.computed !== 'sql')
  const names = ['id', 'deletedAt', 'restrictedAt', ...stored.map(([name]) => name)]
  const columns = names.map((name) => `"${snakeCase(name)}"`).join(', ')
  const values = (rows.get(path) ?? []).map((row) =>
    Object.fromEntries(names.map((name) => [snakeCase(name), row[name] ?? null])),
  )
  return `insert into ${path} (${columns}) select ${columns}
      from jsonb_populate_recordset(null::${path}, $rows$${JSON.stringify(values)}$rows$);`
}

function drawFixture(draw: Draw) {
  const rows = new Map<string, Row[]>()
  const today = dayFromNow(0)
  for (const model of FIXTURE_MODELS) rows.set(model.path, [])
  const people: Person[] = []
  // In order: relations need existing targets.
  for (const model of FIXTURE_MODELS) {
    const list = rows.get(model.path) ?? []
    for (let place = 0; place < (scope.sizes[model.path] ?? SIZE); place++)
      list.push(drawRow(draw, { model, place, rows, people }))
    if (model.path === scope.peopleAfter) people.push(...scope.drawPeople(draw, rows))
  }
  scope.addBulk(draw, rows)
  addCycles(rows)
  return { rows, people, today }
}

type Place = { model: Model; place: number; rows: Map<string, Row[]>; people: Person[] }

function drawRow(draw: Draw, { model, place, rows, people }: Place): Row {
  const row: Row = {
    id: draw(fc.uuid),
    deletedAt: happens(draw, 14) ? '2026-01-02T03:04:05.000Z' : null,
    restrictedAt: happens(draw, 12) ? '2026-01-02T03:04:05.000Z' : null,
  }
  for (const [name, field] of Object.entries(model.fields)) {
    if (field.computed === 'sql') continue
    const isEmpty = !field.required && !field.sequence && happens(draw, 20)
    if (isEmpty) row[name] = null
    else if (field.type === 'file') row[name] = drawFiles(draw)
    else if (field.type === 'relation') row[name] = drawTarget(draw, rows.get(field.to ?? '') ?? [])
    else row[name] = drawValue(draw, field, place)
  }
  // Far from the database's own sequence.
  if (model.path === 'tickets') row['number'] = 1_000_000 + place
  if (model.path === 'contacts') row['userSub'] = null
  for (const [early, late] of [
    ['startOn', 'endOn'],
    ['date', 'endDate'],
  ] as const)
    if (row[early] && row[late] && String(row[early]) > String(row[late])) row[late] = row[early]
  own(draw, { model, row, rows, people })
  return row
}

function own(draw: Draw, { model, row, rows, people }: Omit<Place, 'place'> & { row: Row }) {
  const owner = SENTENCES[model.path]?.scope?.owner
  if (!owner || people.length === 0) return
  const sub = oneOf(draw, people)?.sub ?? null
  row[owner] = happens(draw, 20) ? 'sub-stranger' : sub
  if (happens(draw, 30)) scope.share(row, sub, (path) => rows.get(path) ?? [])
}

function addCycles(rows: Map<string, Row[]>) {
  const [one, two, three] = rows.get(scope.circle) ?? []
  if (!one || !two || !three) return
  one['parent'] = two.id
  two['parent'] = one.id
  three['parent'] = three.id
}

const someOf = (draw: Draw, values: string[]) => {
  const some = values.filter(() => happens(draw, 30))
  return some.length === 0 ? null : some
}

const dayFromNow = (days: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: SITE.timezone }).format(Date.now() + days * DAY_MS)
