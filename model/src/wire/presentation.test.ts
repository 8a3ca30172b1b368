import { expect, test } from 'vitest'
import { ACCESS_LEVELS, type Access, type Visitor } from '#definition/access.ts'
import type { Field } from '#definition/fields.ts'
import { conditionsOf } from '#definition/filter.ts'
import { canSee, defineModel, extendModel, visibleFields, type Model } from '#definition/model.ts'
import { splitRelated } from '#definition/presentation.ts'
import { np } from '#definition/privacy.ts'
import { choices, toned } from '#definition/options.ts'
import { models } from '#models/index.ts'
import { organisations } from '#models/organisations.ts'
import { tickets } from '#models/tickets.ts'
import { toWire } from './to-wire.ts'

const VISITORS: Record<Access, Visitor> = {
  public: null,
  user: { sub: 'u', name: 'Ursula', role: 'user' },
  admin: { sub: 'a', name: 'Ada', role: 'admin' },
  owner: { sub: 'o', name: 'Olga', role: 'admin', owner: true },
}
const context = {
  today: '2026-01-31',
  now: '2026-01-31T10:00:00.000Z',
  site: { country: 'IE', currency: 'EUR' },
}

const field = (type: Field['type'], facts: Partial<Field> = {}): Field => ({
  label: 'Field',
  privacy: np,
  ...facts,
  type,
})
const select = (facts: Partial<Field> = {}) =>
  field('select', { options: choices('one', 'two'), ...facts })
const toCrates = (facts: Partial<Field> = {}) =>
  field('relation', { to: 'crates', onDelete: 'restrict', ...facts })

const silent = (
  path: string,
  rest: Pick<Model, 'displayField' | 'fields'> & Partial<Model>,
): Model =>
  defineModel({
    name: path,
    title: path,
    path,
    access: { list: 'public', get: 'public', create: 'admin', update: 'admin', delete: 'admin' },
    privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
    ...rest,
  })

/** Four models that don't say how they are shown; together they exercise every rule of the default columns. */
const SILENT = [
  silent('crates', {
    displayField: 'label',
    fields: {
      code: field('text', { required: true, sortable: true }),
      label: field('text'),
      state: select({ options: toned({ Full: 'warning', Empty: 'neutral' }) }),
      colour: select({ sortable: true }),
      size: select({ scale: true }),
      material: select({ required: true }),
      pieces: field('integer', { required: true, sortable: true }),
      weight: field('decimal', { unit: 'kg' }),
      layers: field('integer', { unit: 'layers' }),
      price: field('decimal', { required: true, sortable: true }),
    },
  }),
  silent('pallets', {
    displayField: 'name',
    fields: {
      name: field('text'),
      packedAt: field('datetime', { sortable: true }),
      crate: toCrates({ required: true }),
      spare: toCrates(),
      dueOn: field('date', { sortable: true }),
      madeOn: field('date', { required: true }),
      seenAt: field('datetime'),
      email: field('email', { required: true, sortable: true }),
      website: field('url', { required: true }),
      phone: field('tel', { required: true }),
      tags: field('multiselect', { free: true, required: true }),
      fragile: field('boolean', { required: true, sortable: true }),
      remarks: field('textarea', { required: true }),
    },
  }),
  silent('lorries', {
    displayField: 'kind',
    fields: {
      bought: field('date', { sortable: true }),
      kind: select({ required: true }),
      crate: toCrates({ required: true }),
      cost: field('decimal', { unit: '€', visibleTo: 'admin' }),
      fuel: select({ required: true }),
      reach: field('integer', { unit: 'km' }),
      secret: select({ required: true, hidden: true }),
      checked: field('datetime', { sortable: true }),
      load: field('integer', { unit: 't' }),
      grade: select({ scale: true }),
    },
  }),
  silent('depots', {
    displayField: 'story',
    access: { list: 'owner', get: 'owner', create: 'owner', update: 'owner', delete: 'owner' },
    fields: { city: field('text', { required: true }), story: field('textarea') },
  }),
]

const all = [...models, ...SILENT]

const wireFor = (model: Model, level: Access) =>
  toWire(model, VISITORS[level], { ...context, models: all })

const WIRES = all.flatMap((model) =>
  ACCESS_LEVELS.map((level) => ({ model, level, wire: wireFor(model, level) })),
)

test('columns, sections and related lists of every model and level are those of the golden file', async () => {
  const lines = all.flatMap((model) => [
    `# ${model.path}`,
    ...ACCESS_LEVELS.flatMap((level) => linesOf(model, level)),
    '',
  ])
  // After a change: npx vitest run model/src/wire/presentation.test.ts -u, and read the difference.
  await expect(lines.join('\n')).toMatchFileSnapshot('presentation.golden.txt')
})

function linesOf(model: Model, level: Access) {
  const { list, sections = [], related = [] } = wireFor(model, level)
  if (!list) return [`${level}: not readable`]
  const group = (title: string, names: readonly string[]) => `${title} (${names.join(' ')})`
  return [
    `${level} columns: ${list.columns.join(' ')}`,
    `${level} phone: ${(list.phone ?? []).join(' ') || '-'}`,
    `${level} sections: ${sections.map(({ title, fields }) => group(title, fields)).join(', ') || '-'}`,
    `${level} related: ${
      related.map((one) => group(`${one.model}.${one.by}`, one.columns)).join(', ') || '-'
    }`,
  ]
}

test('a wire definition names no field, model or relation that the level can’t see', () => {
  for (const { model, level, wire } of WIRES) {
    const of = (path: string) => all.find((one) => one.path === path) as Model
    const named = [
      ...[wire.summary, wire.list?.columns, wire.list?.phone].flatMap((names) => names ?? []),
      ...(wire.sections ?? []).flatMap(({ fields }) => fields),
    ].map((name) => [model, name] as const)
    const glance = (wire.glance ?? []).flatMap((fact) => {
      if ('field' in fact) return [[model, fact.field] as const]
      const { model: path, by } = splitRelated(fact.related)
      const conditions = fact.where ? conditionsOf(fact.where) : []
      return [by, ...conditions.map(([name]) => name)].map((name) => [of(path), name] as const)
    })
    const lists = (wire.related ?? []).flatMap((list) =>
      [list.by, ...list.columns].map((name) => [of(list.model), name] as const),
    )
    const { timeline } = wire
    const said = timeline
      ? [
          timeline.by,
          timeline.text,
          timeline.author,
          ...(timeline.note ? [timeline.note] : []),
        ].map((name) => [of(timeline.model), name] as const)
      : []
    for (const [owner, name] of [...named, ...glance, ...lists, ...said])
      expect(canSee(owner.fields[name] as Field, level), `${owner.path}.${name}`).toBe(true)
    const listed = [...glance, ...lists, ...said].map(([owner]) => owner)
    for (const owner of listed.filter((one) => one !== model))
      expect(reachesList(owner, level), `${level} ${owner.path}`).toBe(true)
    expect(JSON.parse(JSON.stringify(wire))).toStrictEqual(wire)
  }
})

const reachesList = ({ access }: Model, level: Access) =>
  ACCESS_LEVELS.indexOf(level) >= ACCESS_LEVELS.indexOf(access.list)

test('a wire definition says nothing of how a model is shown to callers who can’t read it', () => {
  const keys = ['icon', 'summary', 'list', 'glance', 'sections', 'related', 'timeline']
  for (const key of keys) expect(wireFor(organisations, 'public')).not.toHaveProperty(key)
})

test('every visible field of a model with sections is in exactly one of them', () => {
  for (const { model, level, wire } of WIRES.filter(({ wire }) => wire.sections)) {
    const names = (wire.sections ?? []).flatMap(({ fields }) => fields)
    const visible = visibleFields(model, level).map(([name]) => name)
    expect(names.toSorted()).toEqual(visible.toSorted())
  }
})

test('every product model has an icon, columns, sections, facts and a text for an empty list, and no field under Other', () => {
  for (const model of models) {
    const wire = wireFor(model, 'owner')
    for (const key of ['icon', 'summary', 'list', 'glance', 'sections'])
      expect(wire, model.path).toHaveProperty(key)
    expect(wire.list, model.path).toMatchObject({
      phone: expect.any(Array),
      empty: expect.stringMatching(/^No .+ yet\.$/),
    })
    expect(wire.sections?.map(({ title }) => title)).not.toContain('Other')
  }
})

test('fields in no section follow under Other, those of a site among them', () => {
  const extended = extendModel(organisations, {
    fields: { xNumber: { type: 'text', label: 'Number', visibleTo: 'admin', privacy: np } },
  })
  const lastFor = (level: Access) => wireFor(extended, level).sections?.at(-1)
  expect(lastFor('admin')).toEqual({ title: 'Other', fields: ['xNumber'] })
  expect(lastFor('user')?.title).not.toBe('Other')
  expect(wireFor({ ...extended, sections: [] }, 'admin')).not.toHaveProperty('sections')
})

test('columns for readers are those of callers who may not update; without any, all have the same', () => {
  const model = (list: Model['list'] & object) => extendModel(tickets, { list })
  const both = { columns: ['subject', 'internalNotes'], reader: ['subject', 'number'] }
  expect(wireFor(model(both), 'user').list?.columns).toEqual(['subject', 'number'])
  expect(wireFor(model(both), 'admin').list?.columns).toEqual(['subject', 'internalNotes'])
  const one = { columns: ['subject', 'contactDiffers'] }
  expect(wireFor(model(one), 'user').list?.columns).toEqual(['subject'])
  const none = { columns: ['contactDiffers'] }
  expect(wireFor(model(none), 'user').list?.columns).toEqual(
    wireFor(model({ empty: 'None.' }), 'user').list?.columns,
  )
})

test('a summary is cut to visible fields, and left out if none is', () => {
  const summaryFor = (summary: string[], level: Access) =>
    wireFor(extendModel(tickets, { summary }), level).summary
  expect(summaryFor(['service', 'contactDiffers'], 'admin')).toEqual(['service', 'contactDiffers'])
  expect(summaryFor(['service', 'contactDiffers'], 'user')).toEqual(['service'])
  expect(summaryFor(['contactDiffers'], 'user')).toBeUndefined()
})

test('a count is left out if a field of its condition is hidden, a timeline if its text is', () => {
  const differs = { related: 'tickets.organisation', label: 'misplaced tickets' } as const
  const where = { all: [['contactDiffers', 'eq', true]] } as const
  const counting = extendModel(organisations, { glance: [{ ...differs, where }] })
  expect(wireFor(counting, 'user')).not.toHaveProperty('glance')
  expect(wireFor(counting, 'admin').glance).toEqual([{ ...differs, where }])
  const timeline = { model: 'messages', by: 'ticket', text: 'body', author: 'internal' }
  const talking = extendModel(tickets, { timeline })
  expect(wireFor(talking, 'user')).not.toHaveProperty('timeline')
  expect(wireFor(talking, 'admin').timeline).toEqual(timeline)
})

test('a timeline names the field of its notes only to callers who see it', () => {
  expect(wireFor(tickets, 'user').timeline).toEqual({
    model: 'messages',
    by: 'ticket',
    text: 'body',
    author: 'authorName',
  })
  expect(wireFor(tickets, 'admin').timeline).toMatchObject({ note: 'internal' })
})

test('a related list is left out if its relation or all its columns are hidden', () => {
  const related = (columns: string[]) => [{ model: 'contacts', by: 'organisation', columns }]
  const listing = (columns: string[]) => extendModel(organisations, { related: related(columns) })
  expect(wireFor(listing(['fullName', 'notes']), 'user').related).toEqual(related(['fullName']))
  expect(wireFor(listing(['notes']), 'user')).not.toHaveProperty('related')
})
