import { FIELD_TYPES, type FieldType } from '@gatehouse/model'
import fc from 'fast-check'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { storedValues } from '../../../test/stored-values.ts'
import { changedFields, startValues, toBody, type FormField } from './values.ts'

// Generous timeout: a busy machine must not fail tests.
vi.setConfig({ testTimeout: 30_000 })

const TYPES = Object.keys(FIELD_TYPES) as FieldType[]
const fields: FormField[] = TYPES.map((type) => ({
  name: type,
  label: type,
  type,
  ...(type === 'file' ? { max: 2 } : {}),
}))

/** Time zones with the instants of their clock changes: forward, and back with a repeated hour. */
const ZONES: Record<string, [forward: string, back: string]> = {
  'Europe/London': ['2026-03-29T01:00:00.000Z', '2026-10-25T01:00:00.000Z'],
  'America/New_York': ['2026-03-08T07:00:00.000Z', '2026-11-01T06:00:00.000Z'],
  // No clock changes; offset by half an hour.
  'Asia/Kolkata': ['2026-03-29T00:00:00.000Z', '2026-10-25T00:00:00.000Z'],
  // Changes by half an hour.
  'Australia/Lord_Howe': ['2026-10-03T15:30:00.000Z', '2026-04-04T15:00:00.000Z'],
  // Skipped a whole day in 2011.
  'Pacific/Apia': ['2011-12-30T10:00:00.000Z', '2021-04-03T14:00:00.000Z'],
}
const NIGHT_MS = 12 * 3_600_000

const ours = process.env['TZ']
afterAll(() => setZone(ours))

function setZone(zone: string | undefined) {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
}

const instant = ([forward, back]: [string, string]) =>
  fc
    .oneof(
      fc.date({ noInvalidDate: true, min: new Date('0001-01-02'), max: new Date('9999-12-30') }),
      around(forward),
      around(back),
    )
    .map((at) => at.toISOString())

const around = (at: string) =>
  fc.date({
    noInvalidDate: true,
    min: new Date(Date.parse(at) - NIGHT_MS),
    max: new Date(Date.parse(at) + NIGHT_MS),
  })

const record = (nights: [string, string]) =>
  fc.record(
    Object.fromEntries(TYPES.map((type) => [type, fc.option(storedValues(type, instant(nights)))])),
    { noNullPrototype: true },
  )

describe.each(Object.entries(ZONES))('in time zone %s', (zone, nights) => {
  test('[DYN-07] a form saved unchanged sends every stored value unchanged', () => {
    setZone(zone)
    // The time zone has really changed.
    expect(new Date('2026-07-01T12:00:00Z').getTimezoneOffset()).not.toBe(0)
    fc.assert(
      fc.property(record(nights), (stored) => {
        const start = startValues(fields, stored)
        expect(changedFields(fields, start, start)).toEqual([])
        expect(toBody(fields, start, stored)).toStrictEqual(stored)
      }),
    )
  })

  test('[DYN-07] a date is the same in every time zone', () => {
    setZone(zone)
    fc.assert(
      fc.property(instant(nights), (at) => {
        const day = at.slice(0, 10)
        const date: FormField = { name: 'date', label: 'Date', type: 'date' }
        expect(startValues([date], { date: day })).toEqual({ date: day })
        expect(toBody([date], { date: day })).toEqual({ date: day })
      }),
    )
  })

  test('[DYN-07] both instants of a repeated 01:30 are kept if not edited', () => {
    setZone(zone)
    const at = Date.parse(nights[1])
    for (const minutes of [-90, -60, -30, -15, 0, 15, 30, 60, 90]) {
      const stored = { datetime: new Date(at + minutes * 60_000).toISOString() }
      const datetime: FormField = { name: 'datetime', label: 'At', type: 'datetime' }
      expect(toBody([datetime], startValues([datetime], stored), stored)).toEqual(stored)
    }
  })
})
