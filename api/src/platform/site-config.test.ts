import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from './site-config.ts'

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-site-config-'))
afterAll(() => rmSync(directory, { recursive: true }))

const SAMPLE = JSON.parse(
  readFileSync(new URL('../../../sample/site.json', import.meta.url), 'utf8'),
) as { site: object }

function read(details: object) {
  const file = join(directory, 'site.json')
  writeFileSync(file, JSON.stringify({ ...SAMPLE, site: { ...SAMPLE.site, ...details } }))
  return readConfig(file)
}

test('readConfig returns the contact details of site.json, all of which may be missing', () => {
  const details = {
    phone: '+353 20 910 0100',
    emergency: { phone: '+353 20 910 0911', note: 'Day and night.' },
    hours: { monday: ['09:00-17:30'] },
    holidays: ['2026-12-25'],
  }
  expect(read(details).site).toMatchObject(details)
  const none = { phone: undefined, emergency: undefined, hours: undefined, holidays: undefined }
  expect(read(none).site.phone).toBeUndefined()
})

test.each([
  [{ phone: '020 910 0100' }, /\/site\/phone must match pattern .*as in \+353 20 910 0100\./],
  [{ hours: { monday: ['9-17'] } }, /\/site\/hours\/monday\/0 must match .*as in 09:00-17:30\./],
  [{ hours: { mon: [] } }, /\/site\/hours must NOT have additional properties: mon/],
  [{ emergency: { phone: '+353 20 910 0911' } }, /\/site\/emergency must have .*'note'/],
  [{ holidays: ['25.12.2026'] }, /\/site\/holidays\/0 must match .*as in 2026-12-25\./],
  [{ hours: { monday: ['18:00-09:00'] } }, /\/site\/hours\/monday\/0 must close after it opens/],
])(
  'readConfig rejects the contact details %j, naming the setting and what it expects',
  (details, error) => {
    expect(() => read(details)).toThrow(error)
  },
)
