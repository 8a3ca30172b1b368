import type { Result } from '../kit/results.ts'
import type { Answer, Client } from './api-client.ts'

const NUMBER = 'C-1042'

export async function checkBefore(ask: Client): Promise<Result[]> {
  const created = await ask('POST', 'organisations', {
    name: 'Copper & Sons',
    xCustomerNumber: NUMBER,
  })
  const rejected = await ask('POST', 'organisations', { name: 'Tin & Co', xCustomerNumber: 'tin' })
  const invoice = await ask('POST', 'invoices', {
    reference: 'R-1',
    amount: 12.5,
    issuedOn: '2026-01-01',
    organisation: created.json['id'],
  })
  return [
    is(
      'a field of the site is stored',
      created.status === 201 && created.json['xCustomerNumber'] === NUMBER,
      created,
    ),
    is('a rule of the site on a product model', rejected.status === 422, rejected),
    is(
      'a model of the site, with a computed field',
      invoice.json['dueOn'] === '2026-01-31',
      invoice,
    ),
    ...(await checkPresentation(ask, ['xCustomerNumber'])),
  ]
}

/** Old data is intact, and the fields of product and site work, even on one record. */
export async function checkAfter(ask: Client): Promise<Result[]> {
  const found = await ask('GET', `organisations?q=${NUMBER}`)
  const [organisation = {}] = found.json.items
  const phone = '+353 1 555 0100'
  const changed = await ask('PUT', `organisations/${String(organisation['id'])}`, {
    courierPhone: phone,
  })
  const [invoice = {}] = (await ask('GET', 'invoices?q=R-1')).json.items
  const rejected = await ask('POST', `invoices/${String(invoice['id'])}/send`, {})
  const noted = await ask('PUT', `invoices/${String(invoice['id'])}`, {
    note: 'By post',
    sentTo: 'ann@copper.example',
  })
  const sent = await ask('POST', `invoices/${String(invoice['id'])}/send`, {})
  const nothing = await ask('POST', 'invoices', { reference: 'R-2', amount: 0, status: 'Sent' })
  const courier = await ask('POST', 'couriers', { name: 'Pat' })
  return [
    is('a field of the site is found', organisation['xCustomerNumber'] === NUMBER, found),
    is(
      'fields of product and site on one record',
      changed.json['courierPhone'] === phone && changed.json['xCustomerNumber'] === NUMBER,
      changed,
    ),
    is('an action of the site refuses', rejected.status === 409, rejected),
    is('a field added since', noted.json['note'] === 'By post', noted),
    is('an action of the site works', sent.status === 200 && sent.json['status'] === 'Sent', sent),
    is('a rule of the site', nothing.status === 422, nothing),
    is('a model of the release', courier.status === 201, courier),
    ...(await checkPresentation(ask, ['courierPhone', 'xCustomerNumber'])),
  ]
}

type Shown = {
  path: string
  list: { columns: string[]; phone: string[] }
  sections?: { title: string; fields: string[] }[]
}

/** Lists and pages are as the site says, and as the product does otherwise, before and after a release. */
async function checkPresentation(ask: Client, otherFields: string[]): Promise<Result[]> {
  const response = await ask('GET', 'models')
  const definitions = response.json as unknown as Shown[]
  const shown = (path: string) => definitions.find((one) => one.path === path)
  const { columns: own } = shown('invoices')?.list ?? {}
  const { columns, phone } = shown('tickets')?.list ?? {}
  const last = shown('organisations')?.sections?.at(-1)
  const equals = (title: string, found: unknown, expected: unknown): Result => ({
    title,
    isRight: JSON.stringify(found) === JSON.stringify(expected),
    figure: JSON.stringify(found ?? response.status),
  })
  return [
    equals('columns of a model of the site that names none', own, ['reference', 'status']),
    equals(
      'columns that the site replaced, beside the product’s own for a phone',
      { columns, phone },
      { columns: TICKET_COLUMNS, phone: TICKET_PHONE },
    ),
    equals('fields in no section are under Other', last, { title: 'Other', fields: otherFields }),
  ]
}

const TICKET_COLUMNS = ['number', 'subject', 'contactType', 'status', 'organisation', 'dueAt']
const TICKET_PHONE = ['number', 'subject', 'status']

const is = (title: string, isRight: boolean, response: Answer): Result => ({
  title,
  isRight,
  figure: isRight ? '' : `${response.status} ${JSON.stringify(response.json)}`,
})
