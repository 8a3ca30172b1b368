import { formatMoney } from '#base/format.ts'
import { site } from '#base/site.ts'
import { servicesMessages } from '#messages/services.ts'
import type { Service } from './catalogue.ts'

/** `from €49 per user per month`, or that it is on request. */
export function formatPrice({
  priceFrom,
  currency,
  billingPeriod,
  priceUnit,
}: Pick<Service, 'priceFrom' | 'currency' | 'billingPeriod' | 'priceUnit'>) {
  if (priceFrom === null || billingPeriod === 'on request') return servicesMessages.onRequest
  const amount = formatMoney(priceFrom, currency ?? site.currency)
  const messages = servicesMessages.prices[priceUnit ?? 'flat']
  return (messages?.[billingPeriod ?? 'none'] ?? messages?.['none'] ?? servicesMessages.from)(
    amount,
  )
}
