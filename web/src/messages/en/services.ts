import { formatNumber, plural } from '#base/format.ts'

const from = (amount: string) => `from ${amount}`

export const servicesMessages = {
  title: 'Services',
  lead: 'What each service includes, what it costs and how fast we respond. Prices exclude VAT.',
  includes: 'Includes',
  price: 'Price',
  response: 'First response',
  responseWithin: (hours: number) =>
    plural(hours, { one: 'within 1 hour', other: `within ${formatNumber(hours)} hours` }),
  onRequest: 'Price on request',
  request: 'Request this service',
  read: (name: string) => `Read about ${name}`,
  related: 'Related articles',
  back: 'All services',
  documentation: 'Documentation',
  sampleNote: 'Services and prices here are placeholders.',
  /** By unit, then by billing period: whole messages, so that a translation can order the words its own way. */
  prices: {
    user: {
      monthly: (amount: string) => `from ${amount} per user per month`,
      annual: (amount: string) => `from ${amount} per user per year`,
      'one-off': (amount: string) => `from ${amount} per user, charged once`,
      none: (amount: string) => `from ${amount} per user`,
    },
    device: {
      monthly: (amount: string) => `from ${amount} per device per month`,
      annual: (amount: string) => `from ${amount} per device per year`,
      'one-off': (amount: string) => `from ${amount} per device, charged once`,
      none: (amount: string) => `from ${amount} per device`,
    },
    server: {
      monthly: (amount: string) => `from ${amount} per server per month`,
      annual: (amount: string) => `from ${amount} per server per year`,
      'one-off': (amount: string) => `from ${amount} per server, charged once`,
      none: (amount: string) => `from ${amount} per server`,
    },
    day: {
      monthly: (amount: string) => `from ${amount} per day, billed monthly`,
      annual: (amount: string) => `from ${amount} per day, billed annually`,
      'one-off': (amount: string) => `from ${amount} per day`,
      none: (amount: string) => `from ${amount} per day`,
    },
    flat: {
      monthly: (amount: string) => `from ${amount} per month`,
      annual: (amount: string) => `from ${amount} per year`,
      'one-off': (amount: string) => `from ${amount}, charged once`,
      none: from,
    },
  } as Record<string, Record<string, (amount: string) => string>>,
  /** Fallback for an unknown unit or period. */
  from,
}
