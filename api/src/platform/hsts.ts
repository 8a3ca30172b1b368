const YEAR_SECONDS = 31_536_000

/**
 * Value of the header Strict-Transport-Security, from HSTS_SECONDS; empty: no header. Without includeSubDomains: other hosts
 * of the domain may not serve https.
 */
export function readHsts(text: string | undefined, problems: string[]) {
  const seconds = text || String(YEAR_SECONDS)
  if (!/^\d+$/.test(seconds))
    problems.push(`HSTS_SECONDS must be a whole number, 0 for none, not "${seconds}"`)
  return Number(seconds) > 0 ? `max-age=${Number(seconds)}` : ''
}
