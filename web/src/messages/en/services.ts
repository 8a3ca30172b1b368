import { site } from '#base/site.ts'

export const servicesMessages = {
  title: 'Services',
  lead: 'What each service includes, what it costs and how fast we respond. Prices exclude VAT.',
  empty: 'No data available',
  includes: 'Includes',
  price: 'Price',
  response: 'First response',
  responseWithin: (hours: number) => (hours === 1 ? 'within 1 hour' : `within ${hours} hours`),
  onRequest: 'Price on request',
  request: 'Request this service',
  read: (name: string) => `Read about ${name}`,
  related: 'Related articles',
  back: 'All services',
  documentation: 'Documentation',
  sampleNote: 'Services and prices here are placeholders.',
}

const bare = (amount: string) => `from ${amount}`

/** By unit, then by billing period: whole messages, so that a translation can order the words its own way. */
const PRICES: Record<string, Record<string, (amount: string) => string>> = {
  user: {
    monthly: (amount) => `from ${amount} per user per month`,
    annual: (amount) => `from ${amount} per user per year`,
    'one-off': (amount) => `from ${amount} per user, charged once`,
    none: (amount) => `from ${amount} per user`,
  },
  device: {
    monthly: (amount) => `from ${amount} per device per month`,
    annual: (amount) => `from ${amount} per device per year`,
    'one-off': (amount) => `from ${amount} per device, charged once`,
    none: (amount) => `from ${amount} per device`,
  },
  server: {
    monthly: (amount) => `from ${amount} per server per month`,
    annual: (amount) => `from ${amount} per server per year`,
    'one-off': (amount) => `from ${amount} per server, charged once`,
    none: (amount) => `from ${amount} per server`,
  },
  day: {
    monthly: (amount) => `from ${amount} per day, billed monthly`,
    annual: (amount) => `from ${amount} per day, billed annually`,
    'one-off': (amount) => `from ${amount} per day`,
    none: (amount) => `from ${amount} per day`,
  },
  flat: {
    monthly: (amount) => `from ${amount} per month`,
    annual: (amount) => `from ${amount} per year`,
    'one-off': (amount) => `from ${amount}, charged once`,
    none: bare,
  },
}

type Price = {
  priceFrom: number | null
  currency: string | null
  billingPeriod: string | null
  priceUnit: string | null
}

/** `from €49 per user per month`, or that it is on request. */
export function priceText({ priceFrom, currency, billingPeriod, priceUnit }: Price) {
  if (priceFrom === null || billingPeriod === 'on request') return servicesMessages.onRequest
  const amount = new Intl.NumberFormat(site.locale, {
    style: 'currency',
    currency: currency ?? site.currency,
    maximumFractionDigits: Number.isInteger(priceFrom) ? 0 : 2,
  }).format(priceFrom)
  const messages = PRICES[priceUnit ?? 'flat']
  return (messages?.[billingPeriod ?? 'none'] ?? messages?.['none'] ?? bare)(amount)
}
