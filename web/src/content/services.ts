import { site } from './site.ts'

export const servicesTexts = {
  title: 'Services',
  lead: 'What we run for clients, what each service includes, what it costs and how fast the first answer comes.',
  empty: 'No data available',
  includes: 'Includes',
  price: 'Price',
  response: 'First response',
  responseWithin: (hours: number) => `within ${hours} h`,
  onRequest: 'on request',
  from: (amount: string, period: string) => `from ${amount}${period}`,
  request: 'Request this service',
  read: (name: string) => `Read about ${name}`,
  related: 'Related notices',
  back: 'All services',
  documentation: 'Documentation',
  sampleNote: 'Services and prices are examples until they are replaced.',
  unavailable: 'The service catalogue can not be reached right now.',
}

const PERIODS: Record<string, string> = {
  monthly: ' a month',
  annual: ' a year',
  'one-off': ' once',
}

/** `from €49 a month`, or that it depends. */
export function priceText(price: number | null, currency: string | null, period: string | null) {
  if (price === null || period === 'on request') return servicesTexts.onRequest
  const amount = new Intl.NumberFormat(site.locale, {
    style: 'currency',
    currency: currency ?? site.currency,
    maximumFractionDigits: Number.isInteger(price) ? 0 : 2,
  }).format(price)
  return servicesTexts.from(amount, PERIODS[period ?? ''] ?? '')
}
