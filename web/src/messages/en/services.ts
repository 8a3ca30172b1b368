import { formatNumber, plural } from '#base/format.ts'
import { responseTime } from './response-time.ts'

export const servicesMessages = {
  title: 'Services',
  lead: 'What each service includes, what it costs and how fast we respond. Prices exclude VAT.',
  includes: 'Includes',
  response: 'First response',
  responseWithin: (hours: number) => `within ${responseTime(hours)}`,
  responseTime,
  hours: 'Hours',
  term: 'Shortest term',
  months: (count: number) =>
    plural(count, { one: '1 month', other: `${formatNumber(count)} months` }),
  noTerm: 'None',
  notice: 'Notice',
  days: (count: number) => plural(count, { one: '1 day', other: `${formatNumber(count)} days` }),
  noNotice: 'None',
  onRequest: 'Price on request',
  withoutVat: (unit: string) => (unit ? `${unit}, without VAT` : 'without VAT'),
  request: 'Request this service',
  related: 'Related articles',
  sampleNote: 'Services and prices here are placeholders.',
  from: (amount: string) => `from ${amount}`,
  /** What follows the amount, by unit, then by billing period: whole phrases, so that a translation can order the words its own way. */
  units: {
    user: {
      monthly: 'per user per month',
      annual: 'per user per year',
      'one-off': 'per user, charged once',
      none: 'per user',
    },
    device: {
      monthly: 'per device per month',
      annual: 'per device per year',
      'one-off': 'per device, charged once',
      none: 'per device',
    },
    server: {
      monthly: 'per server per month',
      annual: 'per server per year',
      'one-off': 'per server, charged once',
      none: 'per server',
    },
    day: {
      monthly: 'per day, billed monthly',
      annual: 'per day, billed annually',
      'one-off': 'per day',
      none: 'per day',
    },
    flat: {
      monthly: 'per month',
      annual: 'per year',
      'one-off': 'charged once',
      none: '',
    },
  } as Record<string, Record<string, string>>,
}
