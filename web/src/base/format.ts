import { language, site } from './site.ts'

export const formatNumber = (value: number) => value.toLocaleString(site.locale)

/** `€49`, `€18.50`; a code that isn't a currency stands as it is. */
export function formatMoney(amount: number, currency: string) {
  try {
    return new Intl.NumberFormat(site.locale, {
      style: 'currency',
      currency,
      maximumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    }).format(amount)
  } catch {
    return `${formatNumber(amount)} ${currency}`
  }
}

/** `48`, or `1,000+` if the server stopped counting. */
export const formatCount = (count: number, exact: boolean) =>
  exact ? formatNumber(count) : `${formatNumber(count)}+`

/** The plural form for a count: `one` or `other` in English, more in other languages. */
export const plural = (
  count: number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string },
) => forms[new Intl.PluralRules(language).select(count)] ?? forms.other

/** `a, b and c`, or `a, b or c`. */
export const formatList = (parts: string[], type: 'conjunction' | 'disjunction' = 'conjunction') =>
  new Intl.ListFormat(language, { type }).format(parts)
