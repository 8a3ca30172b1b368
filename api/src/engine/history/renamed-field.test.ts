import { np, type Field } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobModel } from '../../../test/job-model.ts'
import { ADMIN, startApi, startTest, type Test } from '../../../test/kit.ts'

const note: Field = { type: 'text', label: 'Note', sortable: true, privacy: np }
const RELEASES = [
  jobModel({ note }),
  jobModel({ remark: { ...note, formerly: ['note'] } }),
  jobModel({ comment: { ...note, formerly: ['note', 'remark'] } }),
]

let t: Test
let id: string
const operations: string[] = []
let api: Pick<Awaited<ReturnType<typeof startApi>>, 'base' | 'stop'>

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${api.base}/api/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await t.tokenOf(ADMIN)}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  expect(response.status, text).toBeLessThan(300)
  operations.push(response.headers.get('operation-id') ?? '')
  return JSON.parse(text)
}

/** One database; each release changes the record under its own name of the field. */
beforeAll(async () => {
  t = await startTest({ models: [...models, ...RELEASES.slice(0, 1)] })
  api = t
  id = (await call('POST', 'jobs', { title: 'Job', note: 'One' })).id
  await call('PUT', `jobs/${id}`, { note: 'Two' })
  for (const [release, field, value] of [
    [1, 'remark', 'Three'],
    [2, 'comment', 'Four'],
  ] as const) {
    const next = await startApi({
      models: [...models, ...RELEASES.slice(release, release + 1)],
      databaseUrl: t.database.url('gatehouse_app'),
      keys: t.keys,
    })
    if (api !== t) await api.stop()
    api = next
    await call('PUT', `jobs/${id}`, { [field]: value })
  }
})
afterAll(async () => {
  await api.stop()
  await t.stop()
})

test('a renamed field keeps its column, index and values', async () => {
  expect(await call('GET', `jobs/${id}`)).toMatchObject({ comment: 'Four' })
  const listed = await call('GET', 'jobs?sort=comment')
  expect(listed.items).toMatchObject([{ comment: 'Four' }])
  expect(await t.database.sql('select note from jobs')).toEqual([{ note: 'Four' }])
})

test('the history shows changes of releases before under the present name', async () => {
  const { items } = await call('GET', `jobs/${id}/history`)
  const changes = items.map(({ changes }: { changes: object[] }) => changes)
  expect(changes).toEqual([
    [{ field: 'comment', before: 'Three', after: 'Four' }],
    [{ field: 'comment', before: 'Two', after: 'Three' }],
    [{ field: 'comment', before: 'One', after: 'Two' }],
    [
      { field: 'title', before: null, after: 'Job' },
      { field: 'comment', before: null, after: 'One' },
    ],
  ])
})

test('a version of a release before is restored into the present field', async () => {
  expect(await call('POST', `jobs/${id}/restore`, { version: 2 })).toMatchObject({ comment: 'Two' })
  expect(
    await call('POST', `jobs/${id}/restore`, { version: 1, fields: ['comment'] }),
  ).toMatchObject({ comment: 'One' })
})

test('an operation of a release before is undone in the present field', async () => {
  const other = await call('POST', 'jobs', { title: 'Other', comment: 'New' })
  await call('PUT', `jobs/${other.id}`, { comment: 'Newer' })
  const operation = operations.at(-1) ?? ''
  // As the release before would have written it.
  await t.database.sql(`alter table revisions disable trigger user;
    update revisions set before = '{"note": "New"}', after = '{"note": "Newer"}' where operation_id = '${operation}';
    alter table revisions enable trigger user`)
  await call('POST', `operations/${operation}/undo`)
  expect(await call('GET', `jobs/${other.id}`)).toMatchObject({ comment: 'New' })
})

test('the change log names a former field by its label', async () => {
  const { items } = await call('GET', 'changes?model=jobs')
  const updated = items.filter(({ action }: { action: string }) => action === 'update')
  for (const { fields } of updated) expect(fields).toEqual(['Note'])
})
