import {
  conditionsOf,
  factsOf,
  fieldsOf,
  hasTrash,
  isNotNull,
  isStored,
  scopeColumns,
  type Condition,
  type Field,
  type Model,
} from '@gatehouse/model'
import { getTableName, isNotNull as isPresent, isNull, sql, type SQL } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
  type ExtraConfigColumn,
  type PgColumn,
  type PgTable,
} from 'drizzle-orm/pg-core'

/** A model's table: its columns by the name of the field. */
export type Table = PgTable & Record<string, PgColumn>

/** The tables of all models, by path. Relations point at one another, so they are built together. */
export function buildTables(models: Model[]): Map<string, Table> {
  const tables = new Map<string, Table>()
  for (const model of models) tables.set(model.path, buildTable(model, tables))
  return tables
}

/** Everything the database holds, for drizzle-kit's diff. */
export const buildSchema = (models: Model[]) => ({
  ...Object.fromEntries(buildTables(models)),
  ...ownTables(),
})

/** What the database holds beside the models. */
const ownTables = () => ({
  subjectRefs,
  revisions,
  auditEvents,
  idempotencyKeys,
  writeCounts,
  hourlySalts,
  hourlyCounts,
  dailySalts,
  confirmations,
  outbox,
  cookieChoices,
  caseCounters,
  listViews,
  purges,
})

/** Which person an opaque reference stands for. Erasing somebody deletes the row and turns the log anonymous. */
export const subjectRefs = pgTable('subject_refs', {
  sub: text('sub').primaryKey(),
  ref: uuid('ref').notNull().unique(),
})

/** What every change was: values before and after. Undo, restore and conflict merging derive from it. */
export const revisions = pgTable(
  'revisions',
  {
    id: uuid('id').primaryKey(),
    operationId: uuid('operation_id').notNull(),
    model: text('model').notNull(),
    recordId: uuid('record_id').notNull(),
    version: integer('version').notNull(),
    action: text('action').notNull(),
    before: jsonb('before'),
    after: jsonb('after'),
    actorRef: uuid('actor_ref'),
    at: instant('at').notNull().defaultNow(),
    // Whose the record was then, and whether anybody but an admin was allowed to see it.
    owner: text('owner'),
    org: uuid('org'),
    isOpen: boolean('is_open').notNull().default(false),
    // False in rows that older releases wrote: a job works out the three above, and until then they are for admins.
    isSettled: boolean('is_settled').notNull().default(false),
  },
  (t) => [
    uniqueIndex('revisions_record_unique').on(t.model, t.recordId, t.version),
    index('revisions_operation_index').on(t.operationId),
    index('revisions_unsettled_index')
      .on(t.model, t.recordId)
      .where(sql`not ${t.isSettled}`),
  ],
)

/** Who did what, without a single value. The application may add rows and nothing else. */
export const auditEvents = pgTable(
  'audit_events',
  {
    seq: bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
    at: instant('at').notNull().defaultNow(),
    actorRef: uuid('actor_ref'),
    actorKind: text('actor_kind').notNull(),
    action: text('action').notNull(),
    entity: text('entity').notNull(),
    entityId: uuid('entity_id'),
    fields: text('fields').array().notNull(),
    outcome: text('outcome').notNull(),
    caseId: uuid('case_id'),
    policy: text('policy'),
    counts: jsonb('counts'),
    noticeVersion: text('notice_version'),
    requestId: text('request_id').notNull(),
  },
  (t) => [index('audit_events_entity_index').on(t.entity, t.entityId, t.seq)],
)

/** Enough to answer a repeated POST again, and no values: the answer is rebuilt from the revision. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    ownerRef: uuid('owner_ref').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    status: smallint('status').notNull(),
    recordId: uuid('record_id').notNull(),
    revisionId: uuid('revision_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    replays: integer('replays').notNull().default(0),
    /** Whether a confirmation was queued; null where none belongs to what was created. */
    isConfirmed: boolean('is_confirmed'),
  },
  (t) => [
    primaryKey({ columns: [t.ownerRef, t.key] }),
    index('idempotency_keys_created_at_index').on(t.createdAt),
  ],
)

/** Writes counted per caller and minute: a limit that is promised holds across replicas. */
export const writeCounts = pgTable(
  'write_counts',
  {
    caller: text('caller').notNull(),
    minute: instant('minute').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.caller, t.minute] }),
    index('write_counts_minute_index').on(t.minute),
  ],
)

/** Gone with its hour, and with it the way back from a count to an address. */
export const hourlySalts = pgTable('hourly_salts', {
  hour: instant('hour').primaryKey(),
  salt: uuid('salt').notNull(),
})

/** What strangers sent in an hour, by a salted hash of their address. */
export const hourlyCounts = pgTable(
  'hourly_counts',
  {
    hour: instant('hour').notNull(),
    caller: text('caller').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.hour, t.caller] })],
)

/** Kept two days: a rolling day of confirmations is counted with today's and yesterday's. */
export const dailySalts = pgTable('daily_salts', {
  day: date('day', { mode: 'string' }).primaryKey(),
  salt: uuid('salt').notNull(),
})

/** Automatic confirmations of the last 24 hours to addresses nobody has proven, by a salted hash of the address. */
export const confirmations = pgTable(
  'confirmations',
  {
    id: uuid('id').primaryKey(),
    addressHash: text('address_hash').notNull(),
    queuedAt: instant('queued_at').notNull().defaultNow(),
  },
  (t) => [
    index('confirmations_address_hash_index').on(t.addressHash),
    index('confirmations_queued_at_index').on(t.queuedAt),
  ],
)

/** Mails that are promised and not handed over yet. A row goes when the relay has accepted it, or after seven days. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    /** Null once the address had to go. */
    recipient: text('recipient'),
    data: jsonb('data').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    attempts: integer('attempts').notNull().default(0),
    nextTryAt: instant('next_try_at').notNull().defaultNow(),
    /** Why the last try failed: a code, because a relay's words quote addresses. */
    code: text('code'),
    /** Set while it is a dead letter. */
    failedAt: instant('failed_at'),
    /** Set by the first failure for good; sending again does not move it. */
    addressUntil: instant('address_until'),
  },
  (t) => [index('outbox_next_try_at_index').on(t.nextTryAt)],
)

/** Proof that the cookie question was answered; not by whom, nor from where. */
export const cookieChoices = pgTable('cookie_choices', {
  id: uuid('id').primaryKey(),
  choice: text('choice').notNull(),
  switchState: boolean('switch_state').notNull(),
  gpc: boolean('gpc').notNull(),
  noticeVersion: text('notice_version').notNull(),
  dialogHash: text('dialog_hash').notNull(),
  at: instant('at').notNull().defaultNow(),
})

/** The last number given to a privacy case, per year of the site's calendar. */
export const caseCounters = pgTable('case_counters', {
  year: integer('year').primaryKey(),
  last: integer('last').notNull(),
})

/** What a purge has come to so far: links it has cut, and how often it was refused. Goes with the record. */
export const purges = pgTable(
  'purges',
  {
    model: text('model').notNull(),
    recordId: uuid('record_id').notNull(),
    /** By model; what the audit row of the purge counts in the end. */
    unlinked: jsonb('unlinked').notNull().default({}),
    refusals: integer('refusals').notNull().default(0),
    /** Why it was refused last. */
    reason: text('reason'),
    triedAt: instant('tried_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.model, t.recordId] })],
)

/** How somebody likes to see a list. Forgotten a year after it was last asked for. */
export const listViews = pgTable(
  'list_views',
  {
    id: uuid('id').primaryKey(),
    sub: text('sub').notNull(),
    model: text('model').notNull(),
    columns: text('columns').array(),
    pageSize: integer('page_size'),
    density: text('density').notNull(),
    usedOn: date('used_on', { mode: 'string' }).notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('list_views_owner_unique').on(t.sub, t.model),
    index('list_views_used_on_index').on(t.usedOn),
  ],
)

/** Models whose table would take the name of one of ours. Part of the start-up checks. */
export const checkTables = (models: Model[]) => {
  const taken = Object.values(ownTables()).map((table) => getTableName(table))
  return models
    .filter((model) => [...taken, 'migrations'].includes(tableName(model)))
    .map((model) => `${model.path}: there is already a table called "${tableName(model)}"`)
}

/** `lastContactOn` → `last_contact_on`. */
export const snakeCase = (name: string) =>
  name.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The field whose unique index a database error names, or null. */
export const uniqueFieldOf = (model: Model, constraint: string) =>
  fieldsOf(model).find(([name]) => uniqueName(model, name) === constraint)?.[0] ?? null

/** Milliseconds, as JavaScript has them: a cursor must compare equal to the value it was made from. */
function instant(name: string) {
  return timestamp(name, { withTimezone: true, precision: 3, mode: 'string' })
}

const tableName = (model: Model) => snakeCase(model.path)
const uniqueName = (model: Model, field: string) => `${tableName(model)}_${snakeCase(field)}_unique`

function buildTable(model: Model, tables: Map<string, Table>): Table {
  const name = tableName(model)
  const fields = fieldsOf(model).filter(([, field]) => isStored(field))
  const columns = {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    createdByRef: uuid('created_by_ref'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    updatedByRef: uuid('updated_by_ref'),
    deletedAt: instant('deleted_at'),
    restrictedAt: instant('restricted_at'),
    sample: boolean('sample').notNull().default(false),
    ...Object.fromEntries(
      fields.map(([field, facts]) => [field, buildColumn(model, field, facts, tables)]),
    ),
  }
  const built = pgTable(name, columns as unknown as Record<string, never>, (t) =>
    buildIndexes(model, t as unknown as Record<string, PgColumn>),
  )
  return built as unknown as Table
}

function buildColumn(model: Model, name: string, field: Field, tables: Map<string, Table>) {
  const column = columnOf(snakeCase(name), field, tables)
  return isNotNull(field, model.privacy.onErase) ? column.notNull() : column
}

function columnOf(name: string, field: Field, tables: Map<string, Table>) {
  switch (factsOf(field.type).column) {
    case 'text':
      return text(name)
    case 'integer':
      return field.sequence ? integer(name).generatedByDefaultAsIdentity() : integer(name)
    case 'numeric':
      return numeric(name, { precision: 15, scale: 4, mode: 'number' })
    case 'boolean':
      return boolean(name)
    case 'date':
      return date(name, { mode: 'string' })
    case 'timestamp':
      return instant(name)
    case 'textArray':
      return text(name).array()
    case 'uuid':
      return uuid(name).references((): AnyPgColumn => targetId(field, tables), {
        onDelete: ON_PURGE[field.onDelete ?? 'restrict'],
      })
  }
}

/** Deleting goes to the trash first; this is what happens when the trash is emptied. */
const ON_PURGE = { restrict: 'restrict', unlink: 'set null', cascade: 'cascade' } as const

function targetId(field: Field, tables: Map<string, Table>) {
  const id = tables.get(field.to ?? '')?.['id']
  if (!id) throw new Error(`no table for the relation to "${field.to}"`)
  return id
}

function buildIndexes(model: Model, t: Record<string, PgColumn>) {
  const name = tableName(model)
  const live = isNull(column(t, 'deletedAt'))
  const inScope = sql`${live} and ${isNull(column(t, 'restrictedAt'))}`
  const id = column(t, 'id')
  const fields = fieldsOf(model).filter(([, field]) => isStored(field))
  const owners = (scopeColumns(model) ?? []).filter((field) => field !== 'id')
  const indexName = (field: string, kind: string) => `${name}_${snakeCase(field)}_${kind}`
  return [
    ...fields
      .filter(([, field]) => field.unique)
      .map(([field, facts]) =>
        uniqueIndex(uniqueName(model, field))
          .on(uniqueKey(column(t, field), facts))
          .where(live),
      ),
    ...fields
      .filter(([, field]) => field.sortable)
      .map(([field]) => index(indexName(field, 'sort')).on(column(t, field), id).where(live)),
    // A foreign key looks for rows in the trash too, so this one may not leave them out.
    ...fields
      .filter(([, field]) => field.type === 'relation')
      .map(([field]) => index(indexName(field, 'relation')).on(column(t, field), id)),
    // Newest first, without walking through the trash.
    ...(model.defaultSort === null ? [index(`${name}_live`).on(id).where(live)] : []),
    // The trash is small beside what is in use: its list and the job that empties it must not walk through that.
    ...(hasTrash(model)
      ? [
          index(`${name}_trash`)
            .on(id)
            .where(isPresent(column(t, 'deletedAt'))),
        ]
      : []),
    // What a scoped person's list and its total walk: the condition is the whole scope, so that the total needs no heap.
    ...owners.map((field) =>
      index(indexName(field, 'scope')).on(column(t, field), id).where(inScope),
    ),
    ...fields
      .filter(([, field]) => field.scopedSort)
      .flatMap(([field]) =>
        owners.map((owner) =>
          index(indexName(`${owner}_${field}`, 'scope'))
            .on(column(t, owner), column(t, field), id)
            .where(inScope),
        ),
      ),
    ...model.worklists.map((worklist) =>
      index(`${name}_${worklist.name}_work`)
        .on(column(t, worklist.by), id, ...(worklist.also ?? []).map((field) => column(t, field)))
        .where(
          sql.join(
            [live, ...conditionsOf(worklist.where).map((condition) => literal(t, condition))],
            sql` and `,
          ),
        ),
    ),
    ...searchIndex(model, t),
  ]
}

/** A condition of a worklist, written out: an index takes no parameters. */
function literal(t: Record<string, PgColumn>, [name, operator, value]: Condition): SQL {
  const key = column(t, name)
  if (operator === 'empty') return value === true ? sql`${key} is null` : sql`${key} is not null`
  const texts = [value].flat().map((one) => `'${String(one).replaceAll("'", "''")}'`)
  return sql`${key} in (${sql.raw(texts.join(', '))})`
}

/** One trigram index over all searchable fields: any subset of its columns can be asked. */
function searchIndex(model: Model, t: Record<string, PgColumn>) {
  const [first, ...rest] = fieldsOf(model)
    .filter(([, field]) => field.searchable)
    .map(([field]) => (column(t, field) as ExtraConfigColumn).op('gin_trgm_ops'))
  return first ? [index(`${tableName(model)}_search`).using('gin', first, ...rest)] : []
}

/** Addresses are the same whatever their case. */
const uniqueKey = (key: PgColumn, field: Field): PgColumn | SQL =>
  field.type === 'email' ? sql`lower(${key})` : key

function column(t: Record<string, PgColumn>, name: string) {
  const found = t[name]
  if (!found) throw new Error(`no column for "${name}"`)
  return found
}
