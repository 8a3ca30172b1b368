import type { SiteConfig } from '@gatehouse/model'
import type { Env } from '../../api/src/platform/env.ts'

/** What a check has to say. Whatever is not well comes with what to do about it. */
export type Finding =
  { level: 'ok'; what: string } | { level: 'warning' | 'failure'; what: string; todo: string }

/** What the checks look at. A part that can't be read is null: one check says so, and the others leave it alone. */
export type Installation = {
  env: NodeJS.ProcessEnv
  settings: Env | null
  siteFile: string
  config: SiteConfig | null
  /** Where visitors find the site. */
  siteUrl: string | null
  /** Where the programs of this machine log. */
  logPlaces: string[]
}

export type Check = (installation: Installation) => Finding[] | Promise<Finding[]>

export const ok = (what: string): Finding => ({ level: 'ok', what })
export const warning = (what: string, todo: string): Finding => ({ level: 'warning', what, todo })
export const failure = (what: string, todo: string): Finding => ({ level: 'failure', what, todo })

/** Fine while one develops, and not in front of visitors. */
export const notInProduction = ({ env }: Installation) =>
  env['NODE_ENV'] === 'production' ? failure : warning

/** Nothing between us and it could listen. */
export const isLocal = (hostname: string) => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // fetch says "fetch failed" and keeps the reason to itself; a refused connection to two addresses has no message.
  const reason = error.cause ?? (error instanceof AggregateError ? error.errors[0] : null)
  return reason ? messageOf(reason) : error.message
}
