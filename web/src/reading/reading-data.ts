import type { RecordFor } from '@gatehouse/model'
import type { Models } from '@gatehouse/model/models'
import type { RecordData } from '#data/records.ts'

type PublicService = RecordFor<Models['services'], 'public'>
type PublicArticle = RecordFor<Models['articles'], 'public'>

export type ServiceRow = Pick<
  PublicService,
  'id' | 'name' | 'slug' | 'icon' | 'summary' | 'includes' | 'sample'
> &
  Price & { category: string; responseHours: number | null }

export type Price = Pick<PublicService, 'priceFrom' | 'currency'> & {
  // Sites may add periods and units.
  billingPeriod: string | null
  priceUnit: string | null
}

export type Service = ServiceRow & Pick<PublicService, 'description' | 'termMonths' | 'noticeDays'>

export type ArticleRow = Pick<
  PublicArticle,
  'id' | 'title' | 'slug' | 'kind' | 'summary' | 'publishedAt' | 'startsAt' | 'sample'
>
export type Article = ArticleRow & Pick<PublicArticle, 'body' | 'sourceUrl'>

type Shown<Kind extends string, Data> = { reading: Kind; model: string; title: string } & Data

/** Loader data of a reading page: what it shows, and nothing else of the records. */
export type ReadingData =
  | Shown<'services', { services: ServiceRow[] }>
  | Shown<'service', { recordKey: string; service: Service; articles: ArticleRow[] }>
  | Shown<'articles', ArticleIndex>
  | Shown<'article', { recordKey: string; article: Article; service: ServiceLink | null }>
  | Shown<'records', { records: PlainLink[]; older: string | null }>
  | Shown<'record', { recordKey: string; lead: string; facts: PlainFact[]; texts: PlainText[] }>

export type ReadingOf<Kind extends ReadingData['reading']> = Extract<ReadingData, { reading: Kind }>

type ArticleIndex = {
  /** A pinned maintenance that is not over. */
  maintenance: ArticleRow | null
  articles: ArticleRow[]
  kinds: { value: string; label: string; count: number }[]
  /** The kind that alone is shown. */
  kind: string | null
  /** Cursor of the next ones. */
  older: string | null
}

export type ServiceLink = Pick<ServiceRow, 'name' | 'slug' | 'summary'>
export type PlainLink = { key: string; title: string; lead: string }
type PlainFact = { label: string; value: string }
type PlainText = { label: string; text: string }

/** The fields of a record that a page shows; an absent one is null. */
export const pick = <T extends object>(record: RecordData, names: readonly (keyof T & string)[]) =>
  Object.fromEntries(names.map((name) => [name, record[name] ?? null])) as T
