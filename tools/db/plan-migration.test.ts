import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { choices, defineModel, np, type Field, type Model, type ModelInput } from '@gatehouse/model'
import { models as productModels } from '@gatehouse/model/models'
import { generateDrizzleJson } from 'drizzle-kit/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase, ddlOf, type Database } from '../../api/test/kit.ts'
import { migrate } from '../../api/src/platform/migrate.ts'
import { PRODUCT_TABLES } from '../../api/src/product.ts'
import { buildSchema } from '../../api/src/schema.ts'
import { withFacts } from './field-facts.ts'
import { statementsBetween } from './migration-sources.ts'
import { planMigration } from './plan-migration.ts'
import { buildQuestions, type Given } from './questions.ts'
import { findUnrepeatable } from './repeatable.ts'
import { tablesOf } from './snapshot.ts'
import { writeMigration } from './write-migration.ts'

const ROWS = 2_500
const CONFIG = new URL('../../.squawk.toml', import.meta.url).pathname

const FIELDS = {
  title: { type: 'text', label: 'Title', required: true, searchable: true, privacy: np },
  state: { type: 'select', label: 'State', options: choices('New', 'Old', 'Lost'), privacy: np },
  tags: { type: 'multiselect', label: 'Tags', options: choices('A', 'B'), privacy: np },
  minutes: { type: 'integer', label: 'Minutes', sortable: true, privacy: np },
  note: { type: 'text', label: 'Note', privacy: np },
} satisfies Record<string, Field>

const jobs = (fields: Record<string, Field>, more: Partial<ModelInput> = {}) =>
  defineModel({
    name: 'Job',
    title: 'Jobs',
    path: 'jobs',
    table: 'site_jobs',
    displayField: 'title',
    access: { list: 'admin', get: 'admin', create: 'admin', update: 'admin', delete: 'admin' },
    privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
    fields,
    ...more,
  }) as Model

const { minutes: _minutes, ...WITHOUT_MINUTES } = FIELDS
const { sortable: _sortable, ...UNSORTED } = FIELDS.minutes
const text = { type: 'text', label: 'Text', privacy: np } as const
const RETIRED = { retired: { minutes: FIELDS.minutes } }

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-plan-'))
let database: Database
/** Made straight from the models. */
let built: Database
beforeAll(async () => {
  database = await cloneDatabase()
  built = await cloneDatabase()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
  await built.drop()
})

/** The tables of the product and of these jobs, before and after. */
async function plan(before: Model, after: Model, given: Partial<Given> = {}) {
  const [from, to] = [before, after].map((model) => {
    const models = [...productModels, model]
    const schema = generateDrizzleJson(buildSchema(models, PRODUCT_TABLES))
    return { models, schema, tables: withFacts(tablesOf(schema), models) }
  })
  if (!from || !to) throw new Error('two models')
  const source = { models: to.models, before: from.tables, after: to.tables }
  const questions = buildQuestions({ value: [], replace: [], delete: [], ...given }, null)
  const files = await planMigration({
    source,
    statements: await statementsBetween(to.schema, from.tables, to.tables),
    ask: questions.ask,
    count: async () => null,
  })
  expect(questions.unused()).toEqual([])
  return files
}

async function generate(title: string, before: Model, after: Model, given: Partial<Given> = {}) {
  const url = pathToFileURL(`${join(folder, title)}/`)
  writeMigration({ folder: url, prefix: 'site/' }, title, await plan(before, after, given))
  mkdirSync(url, { recursive: true })
  const names = readdirSync(url).toSorted()
  return { url, names, texts: names.map((name) => readFileSync(new URL(name, url), 'utf8')) }
}

/** Only these jobs, in both databases. */
async function create({ sql }: Database, jobs: Model) {
  await sql('drop table if exists site_jobs')
  await sql(await ddlOf(productModels, [...productModels, jobs]))
}

/** A table of jobs as the release before left it. */
async function fill({ sql }: Database) {
  await sql(`insert into site_jobs (id, title, state, tags, minutes)
    select gen_random_uuid(), 'Job ' || n, (array['New', 'Old', 'Lost'])[n % 3 + 1],
      case when n % 2 = 0 then array['A'] else array['A', 'B'] end, n from generate_series(1, ${ROWS}) n`)
}

/** A folder with the files up to this one. */
function upTo(url: URL, names: string[], last: string) {
  const part = pathToFileURL(`${mkdtempSync(join(folder, 'part-'))}/`)
  for (const name of names.slice(0, names.indexOf(last) + 1))
    cpSync(new URL(name, url), new URL(name, part))
  return part
}

const columnsOf = (database: Database) =>
  database.sql(
    `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required from pg_attribute
      where attrelid = 'site_jobs'::regclass and attnum > 0 and not attisdropped order by attname`,
  )
const indexesOf = (database: Database) =>
  database.sql(
    `select pg_get_indexdef(indexrelid) as definition, indisvalid as valid from pg_index
      where indrelid = 'site_jobs'::regclass order by 1`,
  )

type Kind = {
  before?: Model
  after: Model
  given?: Partial<Given>
  files: string[]
  /** SQL that counts rows which are as an independent statement says. */
  holds?: string
}

const KINDS: Record<string, Kind> = {
  add: { after: jobs({ ...FIELDS, extra: text }), files: ['tables'] },
  required: {
    after: jobs({ ...FIELDS, extra: { ...text, required: true } }),
    given: { value: ["site_jobs.extra=It's new"] },
    files: ['tables', 'backfill', 'check', 'validate', 'required'],
    holds: `extra = 'It''s new'`,
  },
  'required-expression': {
    after: jobs({ ...FIELDS, extra: { ...text, required: true } }),
    given: { value: ['site_jobs.extra==gen_random_uuid()::text'] },
    files: ['tables', 'backfill', 'check', 'validate', 'required'],
    holds: `length(extra) = 36`,
  },
  'made-required': {
    after: jobs({ ...FIELDS, note: { ...FIELDS.note, required: true } }),
    given: { value: ['site_jobs.note=None'] },
    files: ['tables', 'backfill', 'check', 'validate', 'required'],
    holds: `note = 'None'`,
  },
  'made-optional': {
    after: jobs({ ...FIELDS, title: { ...FIELDS.title, required: false } }),
    files: ['tables'],
  },
  rename: {
    after: jobs({ ...WITHOUT_MINUTES, duration: { ...FIELDS.minutes, formerly: ['minutes'] } }),
    files: [],
    holds: 'minutes > 0',
  },
  retype: {
    after: jobs(
      {
        ...WITHOUT_MINUTES,
        hours: {
          type: 'decimal',
          label: 'Hours',
          required: true,
          replaces: 'minutes',
          privacy: np,
        },
      },
      RETIRED,
    ),
    given: { value: ['site_jobs.hours=0'] },
    files: ['tables', 'backfill', 'check', 'validate', 'required', 'indexes'],
    holds: 'hours = minutes',
  },
  'retype-later': {
    before: jobs(
      {
        ...WITHOUT_MINUTES,
        hours: { type: 'decimal', label: 'Hours', replaces: 'minutes', privacy: np },
      },
      RETIRED,
    ),
    after: jobs({ ...WITHOUT_MINUTES, hours: { type: 'decimal', label: 'Hours', privacy: np } }),
    given: { delete: ['site_jobs.minutes'] },
    files: ['removals'],
  },
  retired: {
    before: jobs({ ...FIELDS, minutes: { ...FIELDS.minutes, required: true, unique: true } }),
    after: jobs(WITHOUT_MINUTES, RETIRED),
    files: ['tables', 'indexes'],
    holds: 'minutes > 0',
  },
  remove: {
    after: jobs(WITHOUT_MINUTES),
    given: { delete: ['site_jobs.minutes'] },
    files: ['indexes', 'removals'],
  },
  choice: {
    after: jobs({
      ...FIELDS,
      state: { ...FIELDS.state, options: choices('New', 'Old') },
      tags: { ...FIELDS.tags, options: choices('A', 'C') },
    }),
    given: { replace: ['site_jobs.state:Lost=Old', 'site_jobs.tags:B=A'] },
    files: ['backfill'],
    holds: `tags = array['A'] and state in ('New', 'Old')`,
  },
  relation: {
    after: jobs({
      ...FIELDS,
      client: {
        type: 'relation',
        label: 'Client',
        to: 'organisations',
        onDelete: 'restrict',
        privacy: np,
      },
    }),
    files: ['tables', 'validate', 'indexes'],
  },
  index: {
    after: jobs({
      ...FIELDS,
      note: { ...FIELDS.note, sortable: true },
      minutes: UNSORTED,
    }),
    files: ['indexes'],
  },
  search: {
    after: jobs({ ...FIELDS, note: { ...FIELDS.note, searchable: true } }),
    files: ['indexes'],
  },
  computed: {
    after: jobs({ ...FIELDS, length: { ...text, computed: 'column' } }),
    given: { value: ['site_jobs.length=upper(title)'] },
    files: ['tables', 'backfill'],
    holds: 'length = upper(title)',
  },
  unique: {
    after: jobs({ ...FIELDS, minutes: { ...FIELDS.minutes, unique: true } }),
    files: ['indexes'],
  },
}

describe.each(Object.entries(KINDS))(
  '%s',
  (title, { before = jobs(FIELDS), after, given, files, holds }) => {
    let generated: Awaited<ReturnType<typeof generate>>
    beforeAll(async () => {
      generated = await generate(title, before, after, given)
      await create(database, before)
      await fill(database)
      await create(built, after)
    })

    test(`${title}: the generated files pass squawk and may run again`, async () => {
      const parts = (await plan(before, after, given)).map(({ part }) => part)
      expect(parts).toEqual(files)
      const { url, names, texts } = generated
      for (const [index, text] of texts.entries())
        expect(findUnrepeatable(names[index] ?? '', text)).toEqual([])
      if (names.length === 0) return
      const { status, stdout } = spawnSync(
        'squawk',
        ['--config', CONFIG, ...names.map((name) => new URL(name, url).pathname)],
        { encoding: 'utf8' },
      )
      expect(status, stdout).toBe(0)
    })

    test(`${title}: an interrupted migration continues, and its tables equal the models`, async () => {
      const { url, names } = generated
      // As after a crash at the end of each file without a transaction, before it was recorded.
      for (const name of names) {
        await migrate(database.url('gatehouse_migrate'), [], upTo(url, names, name))
        if (readFileSync(new URL(name, url), 'utf8').startsWith('-- no transaction'))
          await database.sql(`delete from migrations where name = '${name}'`)
      }
      await migrate(database.url('gatehouse_migrate'), [], url)
      expect(await columnsOf(database)).toEqual(await columnsOf(built))
      expect(await indexesOf(database)).toEqual(await indexesOf(built))
      const [count] = await database.sql(`select count(*) from site_jobs where ${holds ?? 'true'}`)
      expect(Number(count?.['count'])).toBe(ROWS)
    })
  },
)
