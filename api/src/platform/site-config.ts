import { readFileSync } from 'node:fs'
import { contactDetailErrors, SITE_SCHEMA, type Context, type SiteConfig } from '@gatehouse/model'
import { Ajv } from 'ajv'
import { SetupError } from './errors.ts'

export type Site = SiteConfig['site']

/** The deployer's file, read once: changes need a restart. */
export function readConfig(file: string): SiteConfig {
  const config = readJson(file)
  const errors = isSiteConfig(config) ? contactDetailErrors(config) : schemaErrors()
  if (errors.length === 0) return config as SiteConfig
  throw new SetupError(`${file} is invalid:\n${errors.join('\n')}`)
}

/** A pattern says little: the hint of the setting follows. */
const schemaErrors = () =>
  (isSiteConfig.errors ?? []).map(({ instancePath, keyword, message, params, parentSchema }) => {
    const error = `${instancePath || '/'} ${message}`
    if ('additionalProperty' in params) return `${error}: ${params.additionalProperty}`
    const hint: unknown = parentSchema?.['description']
    return keyword === 'pattern' && typeof hint === 'string' ? `${error}. ${hint}` : error
  })

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new SetupError(`${file} can’t be read as JSON`, { cause: error })
  }
}

const isSiteConfig = new Ajv({
  allErrors: true,
  allowUnionTypes: true,
  verbose: true,
}).compile<SiteConfig>(SITE_SCHEMA)

/** Values of `@today`, `@now` and `@site.…`. */
export const contextOf = (site: Site, at = new Date()): Context => ({
  today: todayIn(site, at),
  now: at.toISOString(),
  site: { country: site.country, currency: site.currency },
})

export const todayIn = ({ timezone }: Site, at = new Date()) => dayIn(timezone, at)

/** 2025-06-15 → 'June 15, 2025', as the notice writes it. */
export const longDate = (day: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

/** 2025-06-15 → '15 Jun 2025', in the site's locale as on its pages. */
export const formatDay = ({ locale }: Site, day: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

/** Cached for the minute: every request needs today's date. */
function dayIn(timezone: string, at: Date) {
  const minute = Math.floor(at.getTime() / 60_000)
  const cached = days.get(timezone)
  if (cached?.minute === minute) return cached.day
  // Swedish format: YYYY-MM-DD. Building a formatter takes longer than most queries.
  const calendar = cached?.calendar ?? new Intl.DateTimeFormat('sv-SE', { timeZone: timezone })
  const day = calendar.format(at)
  days.set(timezone, { minute, day, calendar })
  return day
}

const days = new Map<string, { minute: number; day: string; calendar: Intl.DateTimeFormat }>()
