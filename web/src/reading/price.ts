import { formatMoney } from '#base/format.ts'
import { site } from '#base/site.ts'
import { servicesMessages } from '#messages/services.ts'
import type { Price } from './reading-data.ts'

/** `from €49` and `per user per month`; or that it is on request. */
export function priceOf({ priceFrom, currency, billingPeriod, priceUnit }: Price) {
  if (priceFrom === null || billingPeriod === 'on request')
    return { amount: servicesMessages.onRequest, unit: null }
  const units = servicesMessages.units[priceUnit ?? 'flat']
  return {
    amount: servicesMessages.from(formatMoney(priceFrom, currency ?? site.currency)),
    unit: units?.[billingPeriod ?? 'none'] ?? units?.['none'] ?? '',
  }
}
