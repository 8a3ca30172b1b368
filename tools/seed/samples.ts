import { clients } from './clients.ts'
import { services } from './services.ts'
import { work } from './work.ts'

/** Records of one model by a name that stays: relations point at it, and a second run knows them by it. */
export type Samples = Record<string, Record<string, string | number | boolean | string[] | null>>

/** Everything in the sample data that depends on when and where it is written. */
export type Setting = {
  /** The day so many days from today, as 2026-01-31. */
  day: (offset: number) => string
  /** An instant on that day, at a time such as 09:30 (UTC). */
  at: (offset: number, time: string) => string
  /** Our name, under which staff answer. */
  site: string
  /** The account of a demo user. */
  sub: (username: string) => string
}

/** The sample records of every model, in an order in which relations find what they point at. */
export const buildSamples = (setting: Setting): [path: string, samples: Samples][] => {
  const { organisations, contacts, contracts, assets } = clients(setting)
  const { tickets, messages, incidents, articles } = work(setting)
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

/** Days counted from `today`, so that the data never looks old. */
export function buildSetting(today: string, { sub, site }: Pick<Setting, 'sub' | 'site'>): Setting {
  const day = (offset: number) => {
    const date = new Date(`${today}T00:00:00Z`)
    date.setUTCDate(date.getUTCDate() + offset)
    return date.toISOString().slice(0, 10)
  }
  return { day, at: (offset, time) => `${day(offset)}T${time}:00.000Z`, sub, site }
}
