import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isExample, type SiteConfig } from '@gatehouse/model'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startRelay, type Relay } from '../../api/test/smtp-stub.ts'
import { serveCopy } from './served-copy.ts'
import { addSite, runIn, withoutSite } from '../build/workspace.ts'
import { CHECKOUT } from '../stack/settings.ts'

// Everything derived from the models of ops/drills/upgrade/site: table, API, OpenAPI, form metadata and wire definition.
const IDENTITY = ['-c', 'user.name=test', '-c', 'user.email=test@example.test']
let relay: Relay
let complaint: ReturnType<typeof checkNotice>

beforeAll(async () => {
  relay = await startRelay()
})
afterAll(() => relay?.down())

const { call, folder, sql } = serveCopy(
  (copy) => {
    git(copy, 'init', '--quiet')
    git(copy, 'add', '--all')
    git(copy, ...IDENTITY, 'commit', '--quiet', '-m', 'Copy')
    addSite(copy)
    complaint = checkNotice(copy)
    runIn(copy, 'notice:write')
  },
  () => ({ SMTP_URL: relay.url }),
)

test('adding a site’s models writes nothing outside the site folder', () => {
  const touched = git(folder(), 'status', '--porcelain', '--untracked-files=all')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(3).replace(/migrations\/\d+-/, 'migrations/'))
  expect(touched.filter((name) => !name.startsWith('site/'))).toEqual([])
  expect(touched).toEqual(
    expect.arrayContaining([
      'site/migrations/add-invoices.sql',
      'site/migrations/add-invoices-indexes.sql',
      'site/migrations/snapshot/organisations.json',
      'site/migrations/snapshot/site_invoices.json',
      'site/notice/1.0.json',
    ]),
  )
})

test('a committed site/ folder has the deployer’s own host name; upstream commits none', () => {
  const committed = execFileSync('git', ['ls-files', 'site'], { cwd: CHECKOUT, encoding: 'utf8' })
  if (committed === '') return
  const { site } = JSON.parse(readFileSync(join(CHECKOUT, 'site/site.json'), 'utf8')) as SiteConfig
  expect(isExample(new URL(site.url).hostname)).toBe(false)
})

test('the notice check reports the new field, and notice:write adds it', async () => {
  expect(complaint.status).toBe(1)
  expect(complaint.stderr).toContain(
    '+ invoices.sentTo — Contact details — records (legal_obligation) — 7 years after contract end',
  )
  expect(checkNotice(folder()).status).toBe(0)
  const { json, text } = await call('GET', '/api/privacy/notice', null)
  expect(json).toMatchObject({ version: '1.0', lastUpdated: '2025-06-15' })
  expect(text).toContain('Sent to')
})

test('a site’s migration creates its table and passes the SQL linter', async () => {
  execFileSync('sh', ['-c', 'npx squawk site/migrations/*.sql'], { cwd: folder(), stdio: 'pipe' })
  const columns = await sql(
    `select column_name from information_schema.columns where table_name = 'site_invoices' order by ordinal_position`,
  )
  expect(columns.map(({ column_name }) => column_name)).toEqual(
    'id version created_at created_by_ref updated_at updated_by_ref deleted_at restricted_at sample number reference organisation amount status issued_on due_on sent_to'.split(
      ' ',
    ),
  )
  const indexes = await sql(
    `select indexname from pg_indexes where tablename in ('site_invoices', 'organisations')`,
  )
  expect(indexes.map(({ indexname }) => indexname)).toEqual(
    expect.arrayContaining([
      'site_invoices_reference_unique',
      'site_invoices_amount_sort',
      'site_invoices_search',
      'organisations_x_customer_number_unique',
      'organisations_x_search',
    ]),
  )
})

test('the API serves create, list, get, update and delete of a site’s model, with access checks', async () => {
  const created = await call('POST', '/api/invoices', 'admin', { reference: 'R-1', amount: 12.5 })
  expect(created.status, created.text).toBe(201)
  expect(created.json).toMatchObject({ reference: 'R-1', amount: 12.5, status: 'Draft', number: 1 })
  const url = `/api/invoices/${created.json.id}`
  expect((await call('GET', '/api/invoices?sort=-amount&q=R-1', 'admin')).json.items).toHaveLength(
    1,
  )
  expect((await call('GET', url, 'admin')).json).toEqual(created.json)
  expect((await call('PUT', url, 'admin', { status: 'Paid' })).json).toMatchObject({
    status: 'Paid',
    version: 2,
  })
  expect((await call('POST', '/api/invoices', 'admin', { amount: -1 })).status).toBe(422)
  expect((await call('GET', url, 'user')).status).toBe(404)
  expect((await call('GET', '/api/invoices', 'user')).json.items).toEqual([])
  expect((await call('POST', '/api/invoices', 'user', { reference: 'R-2' })).status).toBe(403)
  expect((await call('GET', '/api/invoices', null)).status).toBe(401)
  expect((await call('DELETE', url, 'admin')).status).toBe(204)
  expect((await call('GET', url, 'admin')).status).toBe(404)
})

test('a site’s behaviour computes fields, validates records and runs actions', async () => {
  const created = await call('POST', '/api/invoices', 'admin', {
    reference: 'R-3',
    amount: 0,
    issuedOn: '2026-01-01',
  })
  const url = `/api/invoices/${created.json.id}`
  expect(created.json.dueOn).toBe('2026-01-31')
  expect((await call('POST', `${url}/send`, 'admin', {})).json.code).toBe('nobody-to-send-to')
  await call('PUT', url, 'admin', { sentTo: 'ann@copper.example' })
  const rejected = await call('POST', `${url}/send`, 'admin', {})
  expect(rejected.text).toContain('An invoice over nothing stays a draft.')
  await call('PUT', url, 'admin', { amount: 1 })
  const sent = await call('POST', `${url}/send`, 'admin', {})
  expect(sent.json, sent.text).toMatchObject({ status: 'Sent' })
})

test('a product model has the site’s field, action and rule beside its own', async () => {
  const created = await call('POST', '/api/organisations', 'admin', { name: 'Copper & Sons' })
  const url = `/api/organisations/${created.json.id}`
  const registered = await call('POST', `${url}/register`, 'admin', { number: 1042 })
  expect(registered.json, registered.text).toMatchObject({ xCustomerNumber: 'C-1042' })
  expect((await call('POST', `${url}/register`, 'admin', { number: 7 })).status).toBe(409)
  expect((await call('PUT', url, 'admin', { xCustomerNumber: 'seven' })).status).toBe(422)
  const found = await call('GET', '/api/organisations?q=C-1042', 'admin')
  expect(found.json.items.map(({ name }: { name: string }) => name)).toEqual(['Copper & Sons'])
})

test('emails use the site’s texts and the product’s for the rest, and the site sends its own', async () => {
  const { status } = await call('POST', '/api/tickets', 'user', {
    fullName: 'Alice',
    email: 'alice@copper.example',
    subject: 'Printer',
    contactType: 'Query',
    message: 'It smokes.',
  })
  expect(status).toBe(201)
  await vi.waitFor(() => expect(relay.mails).toHaveLength(3), { timeout: 30_000, interval: 200 })
  const mails = await Promise.all(relay.mails.map((mail) => PostalMime.parse(mail)))
  const text = mails.find(({ to }) => to?.[0]?.address === 'alice@copper.example')?.text
  expect(text).toContain('Your message is with our engineers.')
  const invoice = mails.find(({ to }) => to?.[0]?.address === 'ann@copper.example')
  expect(invoice?.subject).toBe('Invoice R-3')
  expect(invoice?.text).toContain('Please pay 1 EUR by 2026-01-31.')
  expect(text).toContain('nobody reads this mailbox')
  expect(text).toContain('If you didn’t write to us, ignore this email.')
})

test('OpenAPI lists a site’s model', async () => {
  const { json } = await call('GET', '/api/openapi.json', 'admin')
  expect(Object.keys(json.paths['/api/invoices'])).toEqual(['get', 'post'])
  expect(Object.keys(json.paths['/api/invoices/{id}'])).toEqual(
    expect.arrayContaining(['get', 'put', 'delete']),
  )
  const asUser = await call('GET', '/api/openapi.json', 'user')
  expect(Object.keys(asUser.json.paths['/api/invoices'])).toEqual(['get'])
})

test('the API serves form metadata and a wire definition of a site’s model', async () => {
  const form = await call('GET', '/api/invoices/form-metadata', 'admin')
  expect(form.json.fields.map(({ name }: { name: string }) => name)).toEqual(
    'reference organisation amount status issuedOn sentTo'.split(' '),
  )
  const { json } = await call('GET', '/api/models', 'user')
  const definition = json.find(({ path }: { path: string }) => path === 'invoices')
  expect(definition).toMatchObject({
    name: 'Invoice',
    routeName: 'invoices',
    viewData: { title: 'Invoices', displayField: 'reference' },
    authorise: { list: false, get: false, create: true, update: true, delete: true },
    list: { columns: ['reference', 'status'] },
  })
})

test('a site replaces columns of a product model; its own fields of one are under Other', async () => {
  const { json } = await call('GET', '/api/models', 'admin')
  const shown = (name: string) => json.find(({ path }: { path: string }) => path === name)
  expect(shown('tickets').list.columns).toContain('contactType')
  expect(shown('tickets').list.empty).toBe('No tickets yet.')
  expect(shown('organisations').sections.at(-1)).toEqual({
    title: 'Other',
    fields: ['xCustomerNumber'],
  })
})

function checkNotice(copy: string) {
  const { status, stderr } = spawnSync('npm', ['run', '--silent', 'notice:check'], {
    cwd: copy,
    env: withoutSite(),
    encoding: 'utf8',
  })
  return { status, stderr }
}

const git = (copy: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: copy, encoding: 'utf8' })
