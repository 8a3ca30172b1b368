import { expect, test } from 'vitest'
import { servicesMessages } from '#messages/services.ts'
import { priceOf } from './price.ts'

const price = (over: Partial<Parameters<typeof priceOf>[0]>) =>
  Object.values(
    priceOf({
      priceFrom: 49,
      currency: 'EUR',
      billingPeriod: 'monthly',
      priceUnit: 'flat',
      ...over,
    }),
  )
    .filter(Boolean)
    .join(' ')

test.each([
  ['user', 'monthly', 'from €49 per user per month'],
  ['user', 'annual', 'from €49 per user per year'],
  ['user', 'one-off', 'from €49 per user, charged once'],
  ['user', null, 'from €49 per user'],
  ['device', 'monthly', 'from €49 per device per month'],
  ['device', 'annual', 'from €49 per device per year'],
  ['device', 'one-off', 'from €49 per device, charged once'],
  ['device', null, 'from €49 per device'],
  ['server', 'monthly', 'from €49 per server per month'],
  ['server', 'annual', 'from €49 per server per year'],
  ['server', 'one-off', 'from €49 per server, charged once'],
  ['server', null, 'from €49 per server'],
  ['day', 'monthly', 'from €49 per day, billed monthly'],
  ['day', 'annual', 'from €49 per day, billed annually'],
  ['day', 'one-off', 'from €49 per day'],
  ['day', null, 'from €49 per day'],
  ['flat', 'monthly', 'from €49 per month'],
  ['flat', 'annual', 'from €49 per year'],
  ['flat', 'one-off', 'from €49 charged once'],
  ['flat', null, 'from €49'],
] as const)('a price per %s, %s, reads "%s"', (priceUnit, billingPeriod, text) => {
  expect(price({ priceUnit, billingPeriod })).toBe(text)
})

test('a price saved before units existed is a flat rate', () => {
  expect(price({ priceUnit: null })).toBe('from €49 per month')
})

test('a price with an unknown unit or period still shows the amount', () => {
  expect(price({ priceUnit: 'mailbox', billingPeriod: 'weekly' })).toBe('from €49')
  expect(price({ priceUnit: 'user', billingPeriod: 'weekly' })).toBe('from €49 per user')
  expect(price({ priceUnit: 'mailbox' })).toBe('from €49')
})

test('a price shows cents only if there are any', () => {
  expect(price({ priceFrom: 18.5, priceUnit: 'device' })).toBe('from €18.50 per device per month')
  expect(price({ priceFrom: 4200, billingPeriod: 'annual' })).toBe('from €4,200 per year')
})

test('a price is on request if missing, or if its period says so', () => {
  expect(price({ priceFrom: null })).toBe('Price on request')
  expect(price({ billingPeriod: 'on request' })).toBe('Price on request')
})

test('the response time has a singular and a plural form', () => {
  expect(servicesMessages.responseWithin(1)).toBe('within 1 working hour')
  expect(servicesMessages.responseWithin(4)).toBe('within 4 working hours')
})
