import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SiteConfig } from './config.ts'
import { contactDetailErrors, openingLines, telLink } from './contact-details.ts'

const SAMPLE = JSON.parse(
  readFileSync(new URL('../../../sample/site.json', import.meta.url), 'utf8'),
) as SiteConfig

const errorsOf = (details: Partial<SiteConfig['site']>) => {
  const { phone: _phone, emergency: _emergency, hours: _hours, holidays: _, ...site } = SAMPLE.site
  return contactDetailErrors({ ...SAMPLE, site: { ...site, ...details } })
}

test.each([
  ['+353 20 910 0100', 'tel:+353209100100'],
  ['+44 (0)20 7946-0018', 'tel:+442079460018'],
  ['+1 (202) 555.0143', 'tel:+12025550143'],
  ['(0)20 910 0101', 'tel:0209100101'],
])('%s is dialled as %s', (phone, link) => {
  expect(telLink(phone)).toBe(link)
})

test('days in a row with the same opening times share a line; closed days have none', () => {
  const weekday = ['09:00-12:30', '13:30-17:30']
  expect(
    openingLines(
      {
        monday: weekday,
        tuesday: weekday,
        thursday: weekday,
        friday: ['09:00-16:00'],
        saturday: [],
      },
      'en-IE',
    ),
  ).toEqual(['Mon–Tue 09:00–12:30, 13:30–17:30', 'Thu 09:00–12:30, 13:30–17:30', 'Fri 09:00–16:00'])
})

test('weekdays are named in the language of the site', () => {
  expect(openingLines({ monday: ['08:00-24:00'], tuesday: ['08:00-24:00'] }, 'de')).toEqual([
    'Mo–Di 08:00–24:00',
  ])
})

test.each<[Partial<SiteConfig['site']>, string[]]>([
  [{}, []],
  [{ phone: '+353 20 910 0100', hours: { sunday: ['00:00-24:00'] }, holidays: ['2028-02-29'] }, []],
  [
    { phone: '+35 1-2-3' },
    ['/site/phone must have 7 to 15 digits with the country code: +35 1-2-3'],
  ],
  [
    { emergency: { phone: '+3531234567890123456', note: 'Day and night.' } },
    ['/site/emergency/phone must have 7 to 15 digits with the country code: +3531234567890123456'],
  ],
  [{ hours: {} }, ['/site/hours must have an opening time: add one, or remove the setting']],
  [
    { hours: { monday: ['17:00-09:00'] } },
    ['/site/hours/monday/0 must close after it opens: 17:00-09:00'],
  ],
  [
    { hours: { friday: ['09:00-13:00', '12:30-17:00'] } },
    ['/site/hours/friday/1 must open after 13:00, when the one before closes: 12:30'],
  ],
  [
    { holidays: ['2026-12-25', '2026-02-30'] },
    ['/site/holidays/1 must be a day of the calendar, as in 2026-12-25: 2026-02-30'],
  ],
])('contact details %j have the errors %j', (details, errors) => {
  expect(errorsOf(details)).toEqual(errors)
})
