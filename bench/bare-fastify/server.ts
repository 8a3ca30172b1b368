import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { STATEMENTS } from './statements.ts'
/** Baseline without our engine: Fastify and pg on our tables, with our bodies, for the caller named in the URL. */
type Row = Record<string, unknown>
type Asked = { Params: Record<string, string>; Body: Row }
const { TIMESTAMPTZ, DATE, NUMERIC } = pg.types.builtins
/** Converts `2021-05-26 08:53:20.5+00` without creating a Date. */
pg.types.setTypeParser(TIMESTAMPTZ, (text) => {
  const fraction = text[19] === '.' ? text.slice(19, -3).padEnd(4, '0') : '.000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${fraction}Z`
})
pg.types.setTypeParser(DATE, String)
pg.types.setTypeParser(NUMERIC, Number)
const { DATABASE_URL: connectionString, PORT } = process.env
const pool = new pg.Pool({ connectionString, max: 10, idleTimeoutMillis: 30_000 })
const run = async (name: keyof typeof STATEMENTS, values: unknown[]) =>
  (await pool.query<Row>({ name, text: STATEMENTS[name], values })).rows
const RELATIONS = ['contact', 'organisation', 'service', 'assignedTo']
const LABELS = RELATIONS.map((name) => ({ name, column: `${name}Label` }))
/** JSON omits undefined values. */
function labelled(row: Row = {}) {
  const labels: Row = (row['labels'] = {})
  for (const { name, column } of LABELS) {
    if (typeof row[column] === 'string') labels[name] = row[column]
    if (column in row) row[column] = undefined
  }
  return row
}
const one = ([row]: Row[]) => labelled(row)
function page(rows: Row[]) {
  const [items, count] = [rows.slice(0, 25), Number(rows[0]?.['total'])]
  const last = JSON.stringify(['-id', null, items.at(-1)?.['id']])
  const next = rows.length > 25 ? Buffer.from(last).toString('base64url') : null
  const total = count > 1000 ? { count: 1000, exact: false } : { count, exact: true }
  for (const row of items) labelled(row)['total'] = undefined
  return { items, next, previous: null, total }
}
/** Ordered by time, like ours: random ids would touch a page of every index. */
const newId = () =>
  `0${Date.now().toString(16)}`.replace(/.{8}/, '$&-') + `-7${randomUUID().slice(15)}`
/** Bodies and URLs have their values in the order of the statement's parameters. */
const of = Object.values
const app = Fastify()
app.get('/tickets', () => run('adminList', []).then(page))
app.get<Asked>('/of/:sub', ({ params }) => run('ownerList', of(params)).then(page))
app.get<Asked>('/of/:sub/:organisation', ({ params }) => run('managerList', of(params)).then(page))
for (const model of ['ticket', 'asset'] as const) {
  app.get<Asked>(`/${model}s/:id`, ({ params }) => run(model, of(params)).then(one))
  app.post<Asked>(`/${model}s`, ({ body }) => run(`${model}New`, [newId(), ...of(body)]).then(one))
  app.put<Asked>(`/${model}s/:id`, ({ params, body }) =>
    run(`${model}Update`, [...of(params), ...of(body)]).then(one),
  )
}
for (const who of ['admin', 'owner'] as const)
  app.post<Asked>(`/reply/${who}/:sub/:id`, ({ params, body }) =>
    run(`${who}Reply`, [...of(params), newId(), ...of(body)]).then(one),
  )
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
