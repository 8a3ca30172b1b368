import { createHash } from 'node:crypto'
import { isRelation, type Model } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { insertRevisions } from '../../api/src/engine/history/audit-trail.ts'
import type { Db, Row, Runner } from '../../api/src/platform/db.ts'
import { identity } from '../../api/src/clients/client-claims.ts'
import {
  buildEngine,
  columnOf,
  compiledOf,
  tableOf,
  type Engine,
} from '../../api/src/engine/engine.ts'
import { resolveRecord, initialValues } from '../../api/src/engine/write/input.ts'
import { operationOf } from '../../api/src/engine/operations/transaction.ts'
import { behaviours, models } from '../../api/src/installation.ts'
import { ownership } from '../../api/src/engine/query/visibility.ts'
import { contextOf, type Site } from '../../api/src/platform/site-config.ts'
import { demoAccounts } from '../stack/demo-accounts.ts'
import { buildSamples, buildSetting, type Samples } from './samples.ts'

/** Advisory lock key: any number shared by all runs. */
export const SEED_LOCK = 7_164_284

/** Field that dates a record; without one it is as old as the oldest client. */
const AGE_FIELDS = ['createdAt', 'openedAt', 'detectedAt', 'publishedAt', 'startOn', 'purchasedOn']
const OLDEST_DAYS = 900
const DAY_MS = 86_400_000

/** Safe to repeat: adds only missing samples. Returns how many. */
export async function writeSamples({ db, site }: { db: Db; site: Site }) {
  const engine = buildEngine({ db, site, models, behaviours, desk: NOBODY, identity })
  const setting = buildSetting(contextOf(site).today, { sub: subOf, site: site.name })
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${SEED_LOCK})`)
    const seeding = { engine, tx, operationId: crypto.randomUUID(), ids: new Map<string, string>() }
    let added = 0
    for (const [path, samples] of buildSamples(setting))
      added += await writeModel(seeding, modelOf(path), samples)
    return added
  })
}

type Seeding = { engine: Engine; tx: Runner; operationId: string; ids: Map<string, string> }

async function writeModel(seeding: Seeding, model: Model, samples: Samples) {
  const { engine, tx, ids } = seeding
  const rows = await tx.query(sql`select id from ${tableOf(engine, model)} where sample`)
  const known = new Map(rows.map(({ id }) => [tailOf(String(id)), String(id)]))
  let added = 0
  for (const [key, values] of Object.entries(samples)) {
    const name = `${model.path}/${key}`
    const there = known.get(tailOf(sampleId(name, 0)))
    const createdAt = ageOf(values)
    ids.set(name, there ?? sampleId(name, Date.parse(createdAt)))
    if (there !== undefined) continue
    await writeRecord(seeding, model, ids.get(name) ?? '', { ...values, createdAt })
    added++
  }
  return added
}

async function writeRecord(seeding: Seeding, model: Model, id: string, sample: Row) {
  const { engine, tx, operationId } = seeding
  const table = tableOf(engine, model)
  const { stored } = compiledOf({ engine, model })
  const { createdAt, ...given } = sample
  const record = await resolveRecord(
    {
      ...operationOf({ engine, tx, caller: SYSTEM, actor: ACTOR, requestId: 'seed', operationId }),
      model,
    },
    {
      record: { ...initialValues(model, SYSTEM, engine.site), ...withIds(seeding, model, given) },
      previous: null,
    },
    { event: 'create', sent: Object.keys(given), rights: SYSTEM },
  )
  const values: Row = { id, ...record, sample: true, createdAt, updatedAt: createdAt }
  const names = Object.keys(values)
  const [row] = await tx.query(
    sql`insert into ${table} (${sql.join(
      names.map((name) => sql.identifier(columnOf(table, name).name)),
      sql`, `,
    )}) values (${sql.join(
      names.map((name) => sql`${sql.param(values[name])}`),
      sql`, `,
    )}) returning ${stored.selection.live}`,
  )
  const of = {
    operationId,
    model: model.path,
    action: 'create' as const,
    actor: ACTOR,
    requestId: 'seed',
    whose: ownership(engine, model),
  }
  const after = Object.fromEntries(stored.names.map((name) => [name, row?.[name]]))
  await insertRevisions(tx, of, [
    { recordId: id, version: 1, before: null, after, fields: stored.names, outcome: 'done' },
  ])
}

/** Samples send no email. */
const NOBODY = { email: '', alertEmail: '' }

const ACTOR = { ref: null, kind: 'system' as const }
const SYSTEM = {
  visitor: {
    sub: 'system',
    name: 'system',
    role: 'admin' as const,
    email: null,
    emailVerified: false,
    sid: null,
    issuedAt: 0,
    firstStepAt: null,
    proof: {
      claimed: 'owner' as const,
      isMfa: true,
      freshUntil: 0,
      steppedUpAt: null,
      asks: { mfa: '', fresh: '' },
    },
  },
  level: 'owner' as const,
  claims: {},
}

/** Relations in the samples use the other record's name. */
const withIds = ({ ids }: Seeding, model: Model, values: Row): Row =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = model.fields[name]
      if (!field) throw new Error(`${model.path} has no field "${name}"`)
      if (!isRelation(field) || value === null) return [name, value]
      const id = ids.get(`${field.to}/${String(value)}`)
      if (!id) throw new Error(`${model.path}: no sample "${String(value)}" of ${field.to}`)
      return [name, id]
    }),
  )

/** A UUIDv7 with the record's date, for the order of lists, and a stable rest. */
function sampleId(name: string, at: number) {
  const time = at.toString(16).padStart(12, '0')
  const rest = createHash('sha256').update(name).digest('hex')
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${rest.slice(0, 3)}`,
    `8${rest.slice(3, 6)}`,
    rest.slice(6, 18),
  ].join('-')
}

/** The stable part of the id. */
const tailOf = (id: string) => id.slice('00000000-0000-'.length)

function ageOf(values: Row) {
  const field = AGE_FIELDS.find((name) => typeof values[name] === 'string')
  const age = field ? Date.parse(String(values[field])) : Date.now() - OLDEST_DAYS * DAY_MS
  return new Date(Math.min(age, Date.now())).toISOString()
}

function subOf(username: string) {
  const account = demoAccounts().find((demo) => demo.username === username)
  if (!account) throw new Error(`The demo has no account "${username}"`)
  return account.sub
}

function modelOf(path: string) {
  const model = models.find((one) => one.path === path)
  if (!model) throw new Error(`No model has the path "${path}"`)
  return model
}
