import { clients } from './clients.ts'
import { services } from './services.ts'
import { sampleRecords } from './sample-tickets.ts'

/** Records of one model by a stable name, used by relations and by later runs. */
export type Samples = Record<string, Record<string, string | number | boolean | string[] | null>>

export type Setting = {
  /** A date so many days from today, such as 2026-01-31. */
  day: (offset: number) => string
  /** That day at a time such as 09:30 (UTC). */
  at: (offset: number, time: string) => string
  /** Display name of staff replies. */
  site: string
  /** Subject id of a demo account. */
  sub: (username: string) => string
}

/** Sample records of every model, ordered so that relations refer to earlier ones. */
export const buildSamples = (setting: Setting): [path: string, samples: Samples][] => {
  const { organisations, contacts, contracts, assets } = clients(setting)
  const { tickets, messages, incidents, articles } = sampleRecords(setting)
  return Object.entries({
    organisations,
    contacts,
    services,
    contracts,
    assets,
    incidents,
    tickets,
    messages,
    articles,
  })
}

/** Days relative to `today`, so that the data never looks old. */
export function buildSetting(today: string, { sub, site }: Pick<Setting, 'sub' | 'site'>): Setting {
  const day = (offset: number) => {
    const date = new Date(`${today}T00:00:00Z`)
    date.setUTCDate(date.getUTCDate() + offset)
    return date.toISOString().slice(0, 10)
  }
  return { day, at: (offset, time) => `${day(offset)}T${time}:00.000Z`, sub, site }
}
