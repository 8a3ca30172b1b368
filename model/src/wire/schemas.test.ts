import { describe, expect, test } from 'vitest'
import { type Access, type Visitor } from '#definition/access.ts'
import type { Field } from '#definition/fields.ts'
import { actionsOf, defineModel, type Model } from '#definition/model.ts'
import { accounts } from '#models/accounts.ts'
import { contracts } from '#models/contracts.ts'
import { kitchensink, models } from '#models/index.ts'
import { tickets } from '#models/tickets.ts'
import { np } from '#definition/privacy.ts'
import { createSchema, updateSchema } from './body-schema.ts'
import { formMetadata } from './form-metadata.ts'
import { itemSchema, listSchema, readSchema } from './record-schema.ts'
import { toAuthorise, toWire } from './to-wire.ts'
import { valueSchema, type JsonSchema } from './value-schema.ts'
import { readAccess } from './read-access.ts'

const context = {
  today: '2026-01-31',
  now: '2026-01-31T10:00:00.000Z',
  site: { country: 'IE', currency: 'EUR' },
  models,
}

const VISITORS: Record<Access, Visitor> = {
  public: null,
  user: { sub: 'u', name: 'Ursula', role: 'user' },
  admin: { sub: 'a', name: 'Ada', role: 'admin' },
  owner: { sub: 'o', name: 'Olga', role: 'admin', owner: true },
}

const options = [{ value: 'open', label: 'Open' }, { value: 'shut' }]

const tasks = defineModel({
  name: 'Task',
  title: 'Tasks',
  path: 'tasks',
  displayField: 'title',
  access: { list: 'public', get: 'user', create: 'admin', update: 'user', delete: 'public' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    title: { type: 'text', label: 'Title', required: true, maxLength: 50, privacy: np },
    body: { type: 'markdown', label: 'Body', help: 'What to do.', privacy: np },
    team: { type: 'text', label: 'Team', visibleTo: 'user', sortable: true, privacy: np },
    cost: { type: 'decimal', label: 'Cost', visibleTo: 'admin', min: 0, unit: '€', privacy: np },
    parent: {
      type: 'relation',
      label: 'Parent',
      to: 'tasks',
      onDelete: 'unlink',
      visibleTo: 'user',
      privacy: np,
    },
    status: {
      type: 'select',
      label: 'Status',
      required: true,
      default: 'open',
      options,
      privacy: np,
    },
    rating: { type: 'integer', label: 'Rating', required: true, writableBy: 'admin', privacy: np },
    owner: text('Owner', { required: true, writableBy: 'admin', stamp: 'account' }),
    number: { type: 'integer', label: 'Number', sequence: true, privacy: np },
    age: { type: 'integer', label: 'Age', computed: 'sql', privacy: np },
    seenAt: { type: 'datetime', label: 'Seen', readOnly: true, default: '@now', privacy: np },
    day: { type: 'date', label: 'Day', default: '@today', privacy: np },
    at: { type: 'datetime', label: 'At', default: '@now', privacy: np },
    country: text('Country', { default: '@site.country' }),
    currency: text('Currency', { default: '@site.currency' }),
  },
})

const SERVER_ONLY = ['number', 'age', 'seenAt']

describe('the definition on the wire', () => {
  test('[PERM-02] authorise is missing for public, false for any signed-in user, true for admins', () => {
    expect(toAuthorise(tasks)).toStrictEqual({ get: false, create: true, update: false })
  })

  test('[PERM-02] a disabled action is never public on the wire', () => {
    const closed: Model = { ...tasks, without: ['list', 'update'] }
    expect(toAuthorise(closed)).toStrictEqual({
      list: true,
      get: false,
      create: true,
      update: true,
    })
    expect(toAuthorise(accounts)).toMatchObject({ create: true, delete: true })
  })

  test.each(models)('[PERM-02] $path: access levels survive a round trip', (model) => {
    const written: unknown = JSON.parse(JSON.stringify(toAuthorise(model)))
    const { owner } = toWire(model, null, context)
    for (const action of actionsOf(model))
      expect(readAccess(written, action, owner)).toBe(model.access[action])
  })

  test('[DYN-02] a wire definition has path, routeName, name, viewData and authorise, and survives JSON', () => {
    const wire = toWire(kitchensink, VISITORS.admin, context)
    expect(Object.keys(wire).sort()).toEqual([
      'authorise',
      'files',
      'list',
      'name',
      'owner',
      'path',
      'routeName',
      'trash',
      'viewData',
    ])
    expect(wire).toMatchObject({
      name: 'Kitchen sink',
      path: 'kitchensink',
      routeName: 'kitchen-sinks',
    })
    expect(Object.keys(wire.viewData)).toEqual(['title', 'displayField', 'fields'])
    expect(wire.viewData).toMatchObject({ title: 'Kitchen sinks', displayField: 'text' })
    expect(JSON.parse(JSON.stringify(wire))).toStrictEqual(wire)
  })

  test('an owner-only action is true in authorise and listed in `owner`', () => {
    const access = { ...kitchensink.access, update: 'owner', list: 'owner' } as const
    const wire = toWire({ ...kitchensink, access }, VISITORS.admin, context)
    expect(wire.authorise).toMatchObject({ list: true, update: true, purge: true })
    expect(wire.owner).toEqual(['list', 'update', 'purge'])
    expect(readAccess(wire.authorise, 'purge', wire.owner)).toBe('owner')
    expect(readAccess(wire.authorise, 'delete', wire.owner)).toBe('admin')
    expect(toWire({ ...kitchensink, purge: 'admin' }, null, context)).not.toHaveProperty('owner')
  })

  test('a form has owner-only fields only for owners; other levels can still read them', () => {
    const namesFor = (level: Access) =>
      formMetadata(contracts, VISITORS[level], context).fields.map(({ name }) => name)
    expect(namesFor('admin')).not.toContain('monthlyFee')
    expect(namesFor('owner')).toContain('monthlyFee')
    expect(propertiesOf(readSchema(contracts, 'user'))).toHaveProperty('monthlyFee')
  })

  test('wire definitions of deletable models state who may purge the trash', () => {
    const wire = (model: Model) => toWire(model, VISITORS.admin, context)
    expect(wire(kitchensink)).toMatchObject({ trash: true, authorise: { purge: true } })
    expect(wire({ ...kitchensink, purge: 'user' }).authorise).toMatchObject({ purge: false })
    expect(wire({ ...kitchensink, purge: 'public' }).authorise).not.toHaveProperty('purge')
    expect(wire(accounts)).not.toHaveProperty('trash')
    expect(wire(accounts).authorise).not.toHaveProperty('purge')
  })

  test('[DYN-02] every field of a wire definition has name, label, type and default', () => {
    const { fields } = toWire(tasks, VISITORS.admin, context).viewData
    expect(fields.find((field) => field.name === 'status')).toEqual({
      name: 'status',
      label: 'Status',
      type: 'select',
      default: 'open',
      options,
    })
    expect(fields.find((field) => field.name === 'team')).toEqual({
      name: 'team',
      label: 'Team',
      type: 'text',
      default: null,
      sortable: true,
    })
    expect(fields.find((field) => field.name === 'day')?.default).toBe(context.today)
  })

  test.each<[Access, hidden: string[]]>([
    ['public', ['team', 'cost', 'parent']],
    ['user', ['cost']],
    ['admin', []],
  ])('viewData.fields contains the fields visible to the level %s', (level, hidden) => {
    const { fields } = toWire(tasks, VISITORS[level], context).viewData
    expect(fields.map((field) => field.name)).toEqual(allBut(hidden))
  })

  test('viewData.fields is empty for visitors who may not read the records', () => {
    const fieldsFor = (visitor: Visitor) => toWire(accounts, visitor, context).viewData.fields
    expect(fieldsFor(VISITORS.public)).toEqual([])
    expect(fieldsFor(VISITORS.user)).toEqual([])
    expect(fieldsFor(VISITORS.admin)).toHaveLength(Object.keys(accounts.fields).length)
  })

  test('a wire definition has `menu: false` if the model is not in the menu, and no `menu` otherwise', () => {
    expect(toWire(accounts, VISITORS.admin, context)).toMatchObject({ menu: false })
    expect(toWire(tasks, VISITORS.admin, context)).not.toHaveProperty('menu')
  })

  test('a wire definition has the actions of the visitor’s level, each with the form of that level', () => {
    const actionsFor = (visitor: Visitor) => toWire(tickets, visitor, context).actions ?? []
    const names = (visitor: Visitor) => actionsFor(visitor).map(({ name }) => name)
    expect(names(VISITORS.public)).toEqual([])
    expect(names(VISITORS.user)).toEqual(['reply', 'close', 'reopen'])
    expect(names(VISITORS.admin)).toEqual(['reply', 'note', 'close', 'reopen'])
    const [reply] = actionsFor(VISITORS.user)
    expect(reply).toMatchObject({ label: 'Send reply', done: 'Reply sent.' })
    expect(reply?.fields.map(({ name }) => name)).toEqual(['body', 'attachments'])
    expect(actionsFor(VISITORS.user)[1]).toMatchObject({
      when: { all: [['status', 'in', expect.arrayContaining(['New', 'Open'])]] },
      fields: [],
    })
    expect(toWire(tasks, VISITORS.admin, context)).not.toHaveProperty('actions')
  })

  test('a wire definition excludes update for visitors who may update but have no writable field', () => {
    const withoutFor = (visitor: Visitor, model: Model) =>
      toWire(model, visitor, context).without ?? []
    const fixed = Object.fromEntries(
      Object.entries(tasks.fields).map(([name, field]) => [name, { ...field, immutable: true }]),
    )
    expect(withoutFor(VISITORS.admin, accounts)).toEqual(['create', 'delete', 'update'])
    expect(withoutFor(VISITORS.user, accounts)).toEqual(['create', 'delete'])
    expect(withoutFor(VISITORS.admin, { ...tasks, fields: fixed })).toContain('update')
    expect(withoutFor(VISITORS.admin, tasks)).toEqual([])
  })

  test('a wire definition contains no privacy, scope or rules', () => {
    const words = JSON.stringify(models.map((model) => toWire(model, VISITORS.admin, context)))
    for (const word of ['privacy', 'rowScope', 'publicFilter', 'stamp', 'erase', 'computed'])
      expect(words).not.toContain(`"${word}"`)
  })
})

describe('[API-03] form metadata', () => {
  test.each<[Access, absent: string[]]>([
    ['public', [...SERVER_ONLY, 'team', 'cost', 'parent', 'rating', 'owner']],
    ['user', [...SERVER_ONLY, 'cost', 'rating', 'owner']],
    ['admin', SERVER_ONLY],
  ])('[DYN-02] form metadata for the level %s contains only writable fields', (level, absent) => {
    expect(Object.keys(formFor(level))).toEqual(allBut(absent))
  })

  test('[DYN-02] form metadata has resolved defaults', () => {
    const form = formFor('admin')
    const defaults = Object.values(form).map((field) => [field.name, field.default])
    expect(Object.fromEntries(defaults)).toEqual({
      title: null,
      body: null,
      team: null,
      cost: null,
      parent: null,
      status: 'open',
      rating: null,
      owner: null,
      day: '2026-01-31',
      at: '2026-01-31T10:00:00.000Z',
      country: 'IE',
      currency: 'EUR',
    })
  })

  test('form metadata has the type, limits, options and rules of each field', () => {
    const form = formFor('admin')
    expect(form['title']).toEqual({
      name: 'title',
      label: 'Title',
      type: 'text',
      default: null,
      required: true,
      maxLength: 50,
      rules: valueSchema(tasks.fields['title']!),
    })
    expect(form['status']?.['rules']).toEqual({ type: 'string' })
    expect(form['body']).toMatchObject({ required: false, help: 'What to do.', maxLength: 50_000 })
    expect(form['cost']).toMatchObject({ min: 0, unit: '€' })
    expect(form['cost']).not.toHaveProperty('maxLength')
    expect(form['parent']).toMatchObject({ type: 'relation', to: 'tasks' })
    expect(form['status']).toMatchObject({ options })
  })

  const formFor = (level: Access) =>
    Object.fromEntries(
      formMetadata(tasks, VISITORS[level], context).fields.map((field) => [field.name, field]),
    )
})

describe('the body of a request', () => {
  const LEVELS: [Access, absent: string[]][] = [
    ['public', [...SERVER_ONLY, 'team', 'cost', 'parent', 'rating']],
    ['user', [...SERVER_ONLY, 'cost', 'rating']],
    ['admin', SERVER_ONLY],
  ]

  test.each(LEVELS)(
    'a request body from the level %s may contain writable and stamped fields',
    (level, absent) => {
      for (const schema of [createSchema(tasks, level), updateSchema(tasks, level)]) {
        expect(Object.keys(propertiesOf(schema))).toEqual(allBut(absent))
        expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
      }
    },
  )

  test('a create body needs every required field without a default', () => {
    expect(createSchema(tasks, 'user')['required']).toEqual(['title'])
    expect(createSchema(tasks, 'admin')['required']).toEqual(['title', 'rating', 'owner'])
  })

  test('an update body may omit any field', () => {
    for (const [level] of LEVELS) expect(updateSchema(tasks, level)).not.toHaveProperty('required')
  })

  test('a request body may contain null only for optional fields', () => {
    for (const schema of [createSchema(tasks, 'admin'), updateSchema(tasks, 'admin')]) {
      const properties = propertiesOf(schema)
      expect(properties['title']).toMatchObject({ type: 'string', minLength: 1 })
      expect(properties['status']).toEqual({ type: 'string', enum: ['open', 'shut'] })
      expect(properties['rating']).toMatchObject({ type: 'integer' })
      expect(properties['body']).toMatchObject({ type: ['string', 'null'] })
      expect(properties['parent']).toMatchObject({ type: ['string', 'null'], format: 'uuid' })
    }
  })

  test('a request body may contain null for an optional select', () => {
    const fields = {
      ...tasks.fields,
      status: { type: 'select', label: 'Status', options, privacy: np },
    }
    const schema = updateSchema({ ...tasks, fields } as Model, 'admin')
    expect(propertiesOf(schema)['status']).toEqual({
      type: ['string', 'null'],
      enum: ['open', 'shut', null],
    })
  })

  test('a request body may contain any value for a stamped field, which is ignored except from admins', () => {
    expect(propertiesOf(createSchema(tasks, 'public'))['owner']).toEqual({})
    expect(propertiesOf(createSchema(tasks, 'user'))['owner']).toEqual({})
    expect(propertiesOf(createSchema(tasks, 'admin'))['owner']).toMatchObject({ type: 'string' })
  })
})

describe('a record that is read', () => {
  const SYSTEM = ['id', 'labels', 'version', 'createdAt', 'updatedAt', 'sample']
  const LEVELS: [Access, hidden: string[]][] = [
    ['public', ['team', 'cost', 'parent']],
    ['user', ['cost']],
    ['admin', []],
  ]

  test.each(LEVELS)(
    'a record read by the level %s has exactly the visible fields',
    (level, hidden) => {
      const schema = readSchema(tasks, level)
      const names = ['id', ...allBut(hidden), ...SYSTEM.slice(1)]
      expect(Object.keys(propertiesOf(schema))).toEqual([...names, 'deletedAt'])
      expect(schema).toMatchObject({ required: names, additionalProperties: false })
    },
  )

  test.each(LEVELS)('a record in a list at level %s has no long texts', (level, hidden) => {
    const schema = itemSchema(tasks, level)
    const names = ['id', ...allBut([...hidden, 'body']), ...SYSTEM.slice(1)]
    expect(Object.keys(propertiesOf(schema))).toEqual([...names, 'deletedAt'])
    expect(schema).toMatchObject({ required: names, additionalProperties: false })
  })

  test('a record in a list has a long text if it is the display field', () => {
    const schema = itemSchema({ ...tasks, displayField: 'body' }, 'public')
    expect(propertiesOf(schema)).toHaveProperty('body')
  })

  test('a read record may be null in any field, even if the field is required now', () => {
    expect(propertiesOf(readSchema(tasks, 'admin'))).toMatchObject({
      title: { type: ['string', 'null'] },
      rating: { type: ['integer', 'null'] },
      cost: { type: ['number', 'null'] },
      day: { type: ['string', 'null'], format: 'date' },
      seenAt: { type: ['string', 'null'], format: 'date-time' },
    })
  })

  test('a read record has strings in its lists', () => {
    const { multiselect, text: one } = propertiesOf(readSchema(kitchensink, 'user'))
    expect(multiselect).toEqual({ type: ['array', 'null'], items: { type: 'string' } })
    expect(one).toEqual({ type: ['string', 'null'] })
  })

  test('a read record has labels for visible relations', () => {
    const labels = (level: Access) => propertiesOf(propertiesOf(readSchema(tasks, level))['labels'])
    expect(labels('public')).toEqual({})
    expect(labels('user')).toEqual({ parent: { type: 'string' } })
  })

  test('a page of records has cursors and a total', () => {
    const schema = listSchema(tasks, 'user')
    const names = ['items', 'next', 'previous', 'total']
    expect(schema).toMatchObject({ required: names, additionalProperties: false })
    expect(Object.keys(propertiesOf(schema))).toEqual(names)
    expect(propertiesOf(schema)['items']).toEqual({
      type: 'array',
      items: itemSchema(tasks, 'user'),
    })
  })
})

describe('the value of a field', () => {
  test.each<[Partial<Field>, JsonSchema]>([
    [{ type: 'text' }, { type: 'string', maxLength: 200 }],
    [
      { type: 'text', required: true, maxLength: 9 },
      { minLength: 1, maxLength: 9 },
    ],
    [{ type: 'textarea' }, { type: 'string', maxLength: 10_000 }],
    [{ type: 'markdown' }, { type: 'string', maxLength: 50_000 }],
    [{ type: 'email' }, { type: 'string', format: 'email', maxLength: 254 }],
    [{ type: 'tel' }, { type: 'string', maxLength: 40 }],
    [{ type: 'url' }, { type: 'string', format: 'uri', maxLength: 2_000 }],
    [{ type: 'integer' }, { type: 'integer', minimum: -2_147_483_647, maximum: 2_147_483_647 }],
    [
      { type: 'integer', min: 0, max: 9, step: 3 },
      { minimum: 0, maximum: 9, multipleOf: 3 },
    ],
    [{ type: 'decimal' }, { type: 'number', maximum: 99_999_999_999, multipleOf: 0.01 }],
    [
      { type: 'decimal', max: 10, step: 0.1 },
      { maximum: 10, multipleOf: 0.1 },
    ],
    [{ type: 'boolean' }, { type: 'boolean' }],
    [{ type: 'date' }, { type: 'string', format: 'date' }],
    [{ type: 'datetime' }, { type: 'string', format: 'date-time' }],
    [
      { type: 'select', options },
      { type: 'string', enum: ['open', 'shut'] },
    ],
    [
      { type: 'multiselect', options },
      { type: 'array', items: { type: 'string', enum: ['open', 'shut'] }, uniqueItems: true },
    ],
    [
      { type: 'multiselect', free: true },
      { type: 'array', items: { type: 'string', minLength: 1, maxLength: 50 }, maxItems: 50 },
    ],
    [{ type: 'relation' }, { type: 'string', format: 'uuid' }],
  ])('the field %j has the value schema %j', (field, schema) => {
    expect(valueSchema({ ...text('Field', {}), ...field })).toMatchObject(schema)
  })

  test('an integer’s value schema has no step unless the field defines one', () => {
    expect(valueSchema({ ...text('Field', {}), type: 'integer' })).not.toHaveProperty('multipleOf')
  })

  test.each<[Field['type'], good: string[], bad: string[]]>([
    ['url', ['https://a.test/x', 'http://a.test'], ['javascript:alert(1)', 'data:,x', '//a.test']],
    ['tel', ['+353 1 234 5678', '112'], ['call me', '+', '1']],
    ['date', ['2026-01-31', '0001-01-01'], ['0000-01-01', '12026-01-01']],
    ['datetime', ['2026-01-31T10:00:00Z'], ['0000-01-01T00:00:00Z']],
    ['text', ['', 'one line'], ['nul \0', 'line\nline']],
  ])(
    'the value schema of type %s rejects values unsafe for a browser or invalid in its column',
    (type, good, bad) => {
      const pattern = new RegExp(
        String(valueSchema({ ...text('Field', {}), type })['pattern']),
        'u',
      )
      for (const value of good) expect(value).toMatch(pattern)
      for (const value of bad) expect(value).not.toMatch(pattern)
    },
  )

  test('a required text can’t be blank', () => {
    const pattern = new RegExp(
      String(valueSchema(text('Field', { required: true }))['pattern']),
      'u',
    )
    expect('a b').toMatch(pattern)
    expect(' \n').not.toMatch(pattern)
  })
})

function text(label: string, facts: Partial<Field>): Field {
  return { type: 'text', label, privacy: np, ...facts }
}

const allBut = (absent: string[]) =>
  Object.keys(tasks.fields).filter((name) => !absent.includes(name))

const propertiesOf = (schema: JsonSchema | undefined) =>
  (schema?.['properties'] ?? {}) as Record<string, JsonSchema>
