import { readFileSync } from 'node:fs'
import { choices, defineModel, np, personal, type Claims } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { defineBehaviour } from '#engine/behaviour.ts'
import type { Identity } from '#engine/engine.ts'
import { migrate } from '#platform/migrate.ts'
import type { Product } from '../src/app.ts'
import type { TestModelSet } from './fixture.ts'

const PRIVILEGES = new URL('../migrations/0001-privileges.sql', import.meta.url)
const APPEND_ONLY = new URL('../migrations/0026-append-only.sql', import.meta.url)
const NO_MIGRATIONS = new URL('no-migrations/', import.meta.url)

/** Has a keeper, who sees the box and its contents. */
const boxes = defineModel({
  name: 'Box',
  title: 'Boxes',
  path: 'boxes',
  displayField: 'name',
  access: { list: 'user', get: 'user', create: 'admin', update: 'admin', delete: 'admin' },
  rowScope: { keeper: 'id' },
  privacy: { subject: { sub: 'keeper' }, retention: 'relationship', onErase: 'null' },
  fields: {
    name: {
      type: 'text',
      label: 'Name',
      required: true,
      sortable: true,
      searchable: true,
      privacy: np,
    },
    size: { type: 'integer', label: 'Size', sortable: true, privacy: np },
    isBig: { type: 'boolean', label: 'Big', computed: 'sql', privacy: np },
    keeper: {
      type: 'text',
      label: 'Keeper',
      visibleTo: 'admin',
      writableBy: 'admin',
      privacy: personal('account', ['account'], { erase: 'null' }),
    },
  },
})

/** Has every field type, an owner, a box, a parent, and a URL that differs from the path. */
const things = defineModel({
  name: 'Thing',
  title: 'Things',
  path: 'things',
  routeName: 'toy-things',
  displayField: 'text',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'admin' },
  rowScope: { account: 'owner', keeper: 'box' },
  rules: [['date', 'lte', 'endDate']],
  actions: {
    pack: {
      label: 'Pack',
      access: 'admin',
      when: { all: [['box', 'empty', true]] },
      fields: {
        name: { type: 'text', label: 'Name of the box', required: true, privacy: np },
      },
      done: 'Packed.',
    },
  },
  privacy: { subject: { email: 'email' }, retention: 'relationship', onErase: 'null' },
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
    loud: { type: 'text', label: 'Loud', computed: 'column', privacy: np },
    textarea: { type: 'textarea', label: 'Text area', searchable: true, privacy: np },
    markdown: { type: 'markdown', label: 'Markdown', privacy: np },
    email: {
      type: 'email',
      label: 'Email',
      unique: true,
      sortable: true,
      privacy: personal('contact', ['enquiries'], { erase: 'null' }),
    },
    tel: { type: 'tel', label: 'Telephone', privacy: np },
    url: { type: 'url', label: 'Address', privacy: np },
    integer: {
      type: 'integer',
      label: 'Integer',
      min: -1000,
      max: 1000,
      sortable: true,
      privacy: np,
    },
    decimal: { type: 'decimal', label: 'Decimal', step: 0.1, sortable: true, privacy: np },
    boolean: { type: 'boolean', label: 'Boolean', default: true, sortable: true, privacy: np },
    date: { type: 'date', label: 'Date', sortable: true, privacy: np },
    endDate: { type: 'date', label: 'End date', privacy: np },
    datetime: { type: 'datetime', label: 'Date and time', sortable: true, privacy: np },
    select: {
      type: 'select',
      label: 'Select',
      options: choices('one', 'two', 'three'),
      sortable: true,
      privacy: np,
    },
    multiselect: {
      type: 'multiselect',
      label: 'Multiselect',
      options: choices('red', 'green', 'blue'),
      privacy: np,
    },
    box: {
      type: 'relation',
      label: 'Box',
      to: 'boxes',
      onDelete: 'unlink',
      writableBy: 'admin',
      privacy: np,
    },
    home: { type: 'relation', label: 'Home', to: 'boxes', onDelete: 'restrict', privacy: np },
    parent: { type: 'relation', label: 'Parent', to: 'things', onDelete: 'cascade', privacy: np },
    owner: {
      type: 'text',
      label: 'Owner',
      writableBy: 'admin',
      stamp: 'account',
      privacy: personal('account', ['account'], { erase: 'null' }),
    },
    secret: {
      type: 'text',
      label: 'Secret',
      visibleTo: 'admin',
      writableBy: 'admin',
      sortable: true,
      searchable: true,
      privacy: np,
    },
  },
})

const boxBehaviour = defineBehaviour(boxes, {
  expressions: { isBig: ({ size }) => sql`coalesce(${size} > 100, false)` },
})

const thingBehaviour = defineBehaviour(things, {
  computed: { loud: ({ record: { text } }) => text.toUpperCase() },
  actions: {
    pack: async ({ record, input, records }) => {
      const box = await records(boxes).create({ name: input.name })
      await records(things).update(record.id, { box: box.id })
    },
  },
})

const claims: Claims = {
  account: { holds: 'sub', keptIn: 'owner' },
  keeper: { holds: { idOf: 'boxes' }, keptIn: 'org' },
}

const NAMES = sql.raw(
  `(values ('sub-admin', 'Ada Admin'), ('sub-bob', 'Bob'), ('sub-other', 'Otto Other'))`,
)

const identity: Identity = {
  claims,
  claimsOf: async ({ db, sub }) => {
    const kept = await db.query(
      sql<{
        id: string
      }>`select id from boxes where keeper = ${sub} and deleted_at is null order by id`,
    )
    return { account: [sub], keeper: kept.map(({ id }) => id) }
  },
  nameOf: (_engine, sub) =>
    sql`(select person.name from ${NAMES} person (sub, name) where person.sub = ${sub})`,
}

const product: Product = {
  tables: {},
  identity,
  paths: () => ({}),
  noticeVersion: 'none',
  behaviours: [boxBehaviour, thingBehaviour],
  mails: {},
  routes: () => {},
}

/** The engine alone: two models, no product files, and a database with only their tables and the engine's. */
export const fixture: TestModelSet = {
  name: 'toys',
  models: [boxes, things],
  migrated: [],
  tables: {},
  buildProduct: () => product,
  prepare: async (database, ddl) => {
    await database.sql(readFileSync(PRIVILEGES, 'utf8'))
    await migrate(database.url('gatehouse_migrate'), [], NO_MIGRATIONS)
    await database.sql(ddl)
    await database.sql(readFileSync(APPEND_ONLY, 'utf8'))
  },
  sink: things,
  group: boxes,
  inGroup: 'box',
  groupValues: {},
  join: (database, sub, id) =>
    database.sql('update boxes set keeper = $1 where id = $2', [sub, id]),
  leave: (database, sub) => database.sql('update boxes set keeper = null where keeper = $1', [sub]),
  counted: 'size',
  needing: { model: things, field: 'home' },
  linking: { model: things, field: 'box', to: boxes },
  unique: { model: things, field: 'email' },
  story: {
    path: 'things',
    body: { text: 'VPN' },
    change: { select: 'two', secret: 'Router was old', integer: 5 },
    shown: { field: 'select', before: null, after: 'two' },
    hidden: 'Router was old',
  },
}
