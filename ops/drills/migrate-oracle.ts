import { isDeepStrictEqual } from 'node:util'
import { SEEDED_ROWS, type Acknowledged } from './migrate-writes.ts'

type Row = Record<string, unknown>
type Ask = (sql: string) => Promise<Row[]>

const SHOWN = 3

/** Rows of the first release, without which an oracle would have to read what it judges. */
export const SEED = `insert into site_jobs (id, title, state, tags, minutes, note, code, extra)
  select gen_random_uuid(), 'Job ' || n, (array['New', 'Old', 'Lost'])[n % 3 + 1],
    case when n % 2 = 0 then array['A'] else array['A', 'B'] end, n,
    case when n % 5 = 0 then null else 'Note ' || n end, 'C-' || n, 'Extra ' || n
  from generate_series(1, ${SEEDED_ROWS}) n`

/** What each row must hold after the last release, computed from its number and what the API acknowledged. */
export async function checkRows(ask: Ask, known: Map<string, Acknowledged>): Promise<string[]> {
  const rows = await ask(
    'select id, title, state, tags, hours::float8 as hours, note, code, place, length, colour, client from site_jobs',
  )
  const wrong = rows.flatMap((row) => {
    const { id, length, ...found } = row
    const acknowledged = known.get(String(id))
    const expected = acknowledged?.isCreated
      ? writtenRow(acknowledged)
      : seededRow(Number(String(row['code']).slice(2)), acknowledged)
    // The release before computes nothing; the backfill may have passed already.
    const isLengthRight =
      length === String(row['title']).toUpperCase() ||
      (length === null && acknowledged?.isCreated === true && acknowledged.release === 0)
    return isDeepStrictEqual(found, expected) && isLengthRight
      ? []
      : [`${JSON.stringify(row)} must be ${JSON.stringify(expected)}`]
  })
  const created = [...known.values()].filter(({ isCreated }) => isCreated).length
  const missing = SEEDED_ROWS + created - rows.length
  return [
    ...wrong.slice(0, SHOWN),
    ...(wrong.length > SHOWN ? [`${wrong.length} rows are wrong`] : []),
    ...(missing === 0 ? [] : [`${missing} rows are missing`]),
  ]
}

const COMMON = { tags: ['A'], colour: null, client: null }

function seededRow(n: number, acknowledged: Acknowledged | undefined) {
  const note = n % 5 === 0 ? 'None' : `Note ${n}`
  return {
    title: `Job ${n}`,
    state: n % 3 === 0 ? 'New' : 'Old',
    ...COMMON,
    hours: n,
    note: acknowledged?.note ?? note,
    code: `C-${n}`,
    place: 'Office',
  }
}

function writtenRow({ n, note, release }: Acknowledged) {
  const place = release === 0 ? 'Office' : 'Field'
  return { title: `Written ${n}`, state: 'New', ...COMMON, hours: n, note, code: `W-${n}`, place }
}

/** A revision for each acknowledged write and no other, the last one like the row; each backfill is in the ledger. */
export async function checkHistory(ask: Ask, known: Map<string, Acknowledged>): Promise<string[]> {
  const rows = await ask(`select record_id as id, count(*)::int as writes,
      (array_agg(after->>'note' order by version desc) filter (where after ? 'note'))[1] as note
    from revisions where model = 'jobs' group by record_id`)
  const wrong = rows.filter(({ id, writes, note }) => {
    const acknowledged = known.get(String(id))
    return acknowledged?.writes !== writes || acknowledged?.note !== note
  })
  const [{ unknown } = {}] = await ask(`select count(*)::int as unknown from audit_events
    where action = 'backfill' and request_id not in (select name from migrations)`)
  const [{ backfills } = {}] = await ask(
    `select count(*)::int as backfills from audit_events where action = 'backfill'`,
  )
  return [
    ...wrong.slice(0, SHOWN).map((row) => `history: ${JSON.stringify(row)}`),
    ...(rows.length === known.size
      ? []
      : [`history of ${rows.length} records, ${known.size} were written`]),
    ...(unknown === 0 ? [] : [`${String(unknown)} backfills of no migration`]),
    ...(Number(backfills) > 0 ? [] : ['no backfill has an audit row']),
  ]
}
