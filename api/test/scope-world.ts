import { defineModel, np, type Field, type Model } from '@gatehouse/model'
import { kitchensink, models } from '@gatehouse/model/models'
import fc, { type Arbitrary } from 'fast-check'
import { snakeCase } from '../src/table.ts'
import { SITE } from './kit.ts'
import { SENTENCES, type Person, type Row } from './scope-oracle.ts'

/** Leads to what only admins may read. */
const ACCOUNT: Field = {
  type: 'relation',
  label: 'Account',
  to: 'accounts',
  onDelete: 'unlink',
  privacy: np,
}

/** A child that is visible exactly when its parent is, with more to ask about than the messages of the product. */
const replies = defineModel({
  name: 'Reply',
  title: 'Replies',
  path: 'replies',
  displayField: 'body',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'user' },
  rowScope: { via: 'ticket' },
  publicFilter: { all: [['internal', 'eq', false]] },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    body: { type: 'text', label: 'Body', required: true, sortable: true, privacy: np },
    // The only field to search, so that for everyone but admins there is none.
    memo: {
      type: 'text',
      label: 'Memo',
      sortable: true,
      searchable: true,
      visibleTo: 'admin',
      writableBy: 'admin',
      privacy: np,
    },
    ticket: {
      type: 'relation',
      label: 'Ticket',
      to: 'tickets',
      required: true,
      onDelete: 'cascade',
      privacy: np,
    },
    account: ACCOUNT,
    internal: {
      type: 'boolean',
      label: 'Internal',
      default: false,
      visibleTo: 'admin',
      writableBy: 'admin',
      privacy: np,
    },
  },
})

/** Owner and organisation at once, and a relation to a child. */
const pins = defineModel({
  name: 'Pin',
  title: 'Pins',
  path: 'pins',
  displayField: 'text',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'user' },
  rowScope: { owner: 'owner', org: 'organisation' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    text: {
      type: 'text',
      label: 'Text',
      required: true,
      sortable: true,
      scopedSort: true,
      searchable: true,
      privacy: np,
    },
    weight: { type: 'integer', label: 'Weight', sortable: true, privacy: np },
    owner: {
      type: 'text',
      label: 'Owner',
      writableBy: 'admin',
      stamp: '@me.sub',
      privacy: np,
    },
    organisation: {
      type: 'relation',
      label: 'Organisation',
      to: 'organisations',
      onDelete: 'unlink',
      writableBy: 'admin',
      stamp: '@me.organisation',
      privacy: np,
    },
    reply: { type: 'relation', label: 'Reply', to: 'replies', onDelete: 'unlink', privacy: np },
    account: ACCOUNT,
  },
})

export const WORLD_MODELS: Model[] = [...models, kitchensink, replies, pins]

/** Words of fields that only admins see. No other field holds one, so none may ever be in anybody else's answer. */
export const HIDDEN_WORDS = ['quartz', 'onyx', 'topaz', 'beryl', 'garnet']
const WORDS =
  'alpha Bravo charlie delta Echo foxtrot golf Hotel india juliet Kilo lima mike November'.split(
    ' ',
  )

const SIZES: Record<string, number> = {
  organisations: 7,
  services: 10,
  accounts: 8,
  contacts: 18,
  replies: 60,
  pins: 60,
}
const SIZE = 36
/** More than a capped total counts. */
const BULK = 1_010
const DAY_MS = 86_400_000

export type World = ReturnType<typeof buildWorld>

/** Draws the next random value; fast-check remembers them all under one seed. */
export type Draw = <T, A extends unknown[]>(from: (...given: A) => Arbitrary<T>, ...given: A) => T

export const below = (count: number) => fc.nat({ max: count - 1 })
export const oneOf = <T>(draw: Draw, list: readonly T[]): T => list[draw(below, list.length)] as T
export const happens = (draw: Draw, percent: number) => draw(below, 100) < percent

/** People of every kind and rows in every state, from one number. */
export function buildWorld(seed: number) {
  const [world] = fc.sample(
    fc.gen().map((draw) => drawWorld(draw)),
    { seed, numRuns: 1, unbiased: true },
  )
  if (!world) throw new Error('no world')
  return world
}

/** A value a field of this type can hold; `place` keeps unique ones apart. */
export function drawValue(draw: Draw, field: Field, place: number): unknown {
  const words = field.visibleTo === 'admin' ? HIDDEN_WORDS : WORDS
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
      return null
  }
}

/** The world as SQL, past the API and all its rules. */
export const toSql = ({ rows }: World) =>
  WORLD_MODELS.map(({ path, fields }) => {
    const stored = Object.entries(fields).filter(([, field]) => field.computed?.on !== 'read')
    const names = ['id', 'deletedAt', 'restrictedAt', ...stored.map(([name]) => name)]
    const columns = names.map((name) => `"${snakeCase(name)}"`).join(', ')
    const values = (rows.get(path) ?? []).map((row) =>
      Object.fromEntries(names.map((name) => [snakeCase(name), row[name] ?? null])),
    )
    return `insert into ${path} (${columns}) select ${columns}
      from jsonb_populate_recordset(null::${path}, $rows$${JSON.stringify(values)}$rows$);`
  }).join('\n')

function drawWorld(draw: Draw) {
  const rows = new Map<string, Row[]>()
  const today = dayFromNow(0)
  for (const model of WORLD_MODELS) rows.set(model.path, [])
  const people: Person[] = []
  // In the order of the list: relations lead to what is there already.
  for (const model of WORLD_MODELS) {
    const list = rows.get(model.path) ?? []
    for (let place = 0; place < (SIZES[model.path] ?? SIZE); place++)
      list.push(drawRow(draw, { model, place, rows, people }))
    if (model.path === 'contacts') people.push(...drawPeople(draw, rows))
  }
  addBulk(draw, rows, people)
  addCircles(rows)
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
    if (field.computed?.on === 'read') continue
    const isEmpty = !field.required && !field.sequence && happens(draw, 20)
    if (isEmpty) row[name] = null
    else if (field.type === 'relation') row[name] = drawTarget(draw, rows.get(field.to ?? '') ?? [])
    else row[name] = drawValue(draw, field, place)
  }
  // Far from where the database starts to count.
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

const drawTarget = (draw: Draw, targets: Row[]) =>
  targets.length === 0 ? null : oneOf(draw, targets).id

/** Rows of nobody, of somebody, and of somebody in whose organisation they are as well. */
function own(draw: Draw, { model, row, rows, people }: Omit<Place, 'place'> & { row: Row }) {
  const owner = SENTENCES[model.path]?.scope?.owner
  if (!owner || people.length === 0) return
  const sub = oneOf(draw, people)?.sub ?? null
  row[owner] = happens(draw, 20) ? 'sub-stranger' : sub
  const contact = (rows.get('contacts') ?? []).find(
    (one) => one['userSub'] === sub && one.deletedAt === null,
  )
  if (contact && happens(draw, 30)) row['organisation'] = contact['organisation'] ?? null
}

/** Everybody who may come along; those who have a link get their contact with it. */
function drawPeople(draw: Draw, rows: Map<string, Row[]>): Person[] {
  const contacts = rows.get('contacts') ?? []
  const organisations = rows.get('organisations') ?? []
  const spare = [...contacts]
  const link = (name: string, changes: Partial<Row> & { organisation?: string | null } = {}) => {
    const contact = spare.pop()
    if (!contact) throw new Error('too few contacts')
    Object.assign(contact, {
      userSub: `sub-${name}`,
      active: true,
      deletedAt: null,
      restrictedAt: null,
      organisation: drawTarget(draw, organisations.slice(0, 4)),
      ...changes,
    })
  }
  const trashed = '2026-01-02T03:04:05.000Z'
  link('viewer', { portalRole: 'viewer' })
  link('viewer-too', { portalRole: 'viewer' })
  link('manager', { portalRole: 'manager' })
  link('manager-too', { portalRole: 'manager' })
  link('no-role', { portalRole: 'none' })
  link('inactive', { portalRole: 'manager', active: false })
  link('gone', { portalRole: 'manager', deletedAt: trashed })
  link('moved', { portalRole: 'manager', deletedAt: trashed })
  link('moved', { portalRole: 'viewer' })
  link('nowhere', { portalRole: 'manager', organisation: null })
  const closed = organisations[4]
  if (closed) closed.deletedAt = trashed
  link('orphaned', { portalRole: 'manager', organisation: closed?.id ?? null })
  link('bulk', { portalRole: 'viewer' })
  const names = [...new Set(contacts.map((row) => row['userSub']).filter((sub) => sub !== null))]
  return [
    null,
    { sub: 'sub-plain', name: 'plain', role: 'user' },
    ...names.map((sub) => ({
      sub: String(sub),
      name: String(sub).slice(4),
      role: 'user' as const,
    })),
    { sub: 'sub-admin', name: 'Ada Admin', role: 'admin' },
  ]
}

/** One person owns more than a total counts, half of it in their organisation as well. */
function addBulk(draw: Draw, rows: Map<string, Row[]>, people: Person[]) {
  const bulk = people.find((person) => person?.sub === 'sub-bulk')
  const contact = rows.get('contacts')?.find((row) => row['userSub'] === bulk?.sub)
  for (let place = 0; place < BULK; place++)
    rows.get('pins')?.push({
      id: draw(fc.uuid),
      deletedAt: null,
      restrictedAt: null,
      text: 'bulk',
      weight: place % 7 === 0 ? null : place % 10,
      owner: 'sub-bulk',
      organisation: place % 2 === 0 ? contact?.['organisation'] : null,
      reply: null,
      account: null,
    })
}

/** Nothing forbids a record to be its own grandparent. */
function addCircles(rows: Map<string, Row[]>) {
  const [one, two, three] = rows.get('kitchensink') ?? []
  if (!one || !two || !three) return
  one['parent'] = two.id
  two['parent'] = one.id
  three['parent'] = three.id
}

const someOf = (draw: Draw, values: string[]) => {
  const some = values.filter(() => happens(draw, 30))
  return some.length === 0 ? null : some
}

/** A day on the site's calendar, which is not always the machine's. */
const dayFromNow = (days: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: SITE.timezone }).format(Date.now() + days * DAY_MS)
