import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkRecipients } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { afterAll, expect, test } from 'vitest'
import { checkSamples, checkSite } from '../../ops/doctor/configuration.ts'
import { readInstallation } from '../../ops/doctor/installation.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'
import { siteConfigOf } from './site-template.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-template-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ANSWERS = {
  SITE_HOST: 'portal.mine.ie',
  OWNER_EMAIL: 'me@mine.ie',
  SITE_NAME: "O'Neill & Sons $5",
  LEGAL_NAME: 'O’Neill IT Services Ltd',
  POSTAL_ADDRESS: '1 Main Street, Cork',
  PRIVACY_EMAIL: 'privacy@mine.ie',
}
const JAPAN = {
  TIME_ZONE: 'Asia/Tokyo',
  CURRENCY: 'JPY',
  AUTHORITY_NAME: 'PPC',
  AUTHORITY_URL: 'https://www.ppc.go.jp',
}

test.each([
  [{ COUNTRY: 'IE' }, ['Europe/Dublin', 'EUR', 'en-IE', 'Data Protection Commission']],
  [{ COUNTRY: 'JP', ...JAPAN }, ['Asia/Tokyo', 'JPY', 'en-JP', 'PPC']],
])('the site.json of %j passes the start-up checks and the doctor’s', (own, facts) => {
  const site = join(folder, own.COUNTRY)
  const file = join(site, 'site.json')
  mkdirSync(site)
  writeFileSync(file, JSON.stringify(siteConfigOf({ ...ANSWERS, ...own })))
  const config = readConfig(file)
  const { timezone, currency, locale } = config.site
  expect([timezone, currency, locale, config.controller.authority.name]).toEqual(facts)
  expect(checkRecipients(models, config)).toEqual([])
  const installation = readInstallation({ NODE_ENV: 'production', SITE_DIR: site })
  expect(checkSite(installation)).toEqual([{ level: 'ok', what: `${file} is complete` }])
  // Nobody's answers: LAY-08 asks for eight links.
  expect(checkSamples(installation)).toMatchObject([
    { level: 'warning', what: 'The footer links to no profile of yours, only to start pages' },
  ])
})

test('the notice of a new site names the host of its backups, if it has a bucket', () => {
  const ids = (own: object) =>
    siteConfigOf({ ...ANSWERS, ...own, COUNTRY: 'IE' }).recipients.map(({ id }) => id)
  expect(ids({})).toEqual(['hosting', 'mail'])
  expect(ids({ BACKUP_BUCKET: 'https://s3.mine.ie/backups' })).toEqual([
    'hosting',
    'mail',
    'backup',
  ])
})

test('a new site.json has no text of the sample’s profile, and no phone', () => {
  const sample = readFileSync(new URL('../../sample/site.json', import.meta.url), 'utf8')
  const { profile, site, ...rest } = siteConfigOf({ ...ANSWERS, COUNTRY: 'IE' })
  const texts = JSON.stringify([profile, rest.owner]).match(/[^"]{25,}/g) ?? []
  expect(texts.length).toBeGreaterThan(5)
  expect(texts.filter((text) => sample.includes(text))).toEqual([])
  expect([site.phone, site.emergency]).toEqual([undefined, undefined])
})
