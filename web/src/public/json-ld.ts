import { isExampleLink, openingDays } from '@gatehouse/model'
import type {
  Article as SchemaArticle,
  BreadcrumbList,
  Person,
  ProfessionalService,
  Service as SchemaService,
  Thing,
  WithContext,
} from 'schema-dts'
import { profile } from '#base/profile.ts'
import { controller, isOwnerFirm, isPrinted, owner, site, socials } from '#base/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { publicUrl } from '#layout/head.ts'
import { readingPath } from '#data/reading.ts'
import type { Article, ReadingData, ServiceRow } from '#reading/reading-data.ts'

export const firm = (): WithContext<ProfessionalService> => ({
  '@context': 'https://schema.org',
  '@type': 'ProfessionalService',
  '@id': publicUrl('/#firm'),
  name: site.name,
  legalName: controller.name,
  url: publicUrl('/'),
  ...(isPrinted ? { image: publicUrl('/og.png') } : {}),
  email: owner.email,
  ...(site.phone ? { telephone: site.phone } : {}),
  ...openingHours(),
  address: controller.address,
  areaServed: site.country,
  ...linksOf(),
})

export const people = (): WithContext<Person>[] => (isOwnerFirm ? [] : [person()])

const person = (): WithContext<Person> => ({
  '@context': 'https://schema.org',
  '@type': 'Person',
  name: owner.name,
  jobTitle: owner.title,
  worksFor: { '@id': publicUrl('/#firm') },
  ...(profile.sample
    ? {}
    : {
        hasCredential: profile.certifications.map(({ name, issuer, year }) => ({
          '@type': 'EducationalOccupationalCredential',
          name,
          dateCreated: String(year),
          recognizedBy: { '@type': 'Organization', name: issuer },
        })),
      }),
})

/** Subjects of a reading page; samples have none. */
export function readingLinkedData(data: ReadingData): WithContext<Thing>[] {
  switch (data.reading) {
    case 'services':
      return data.services.flatMap(toService)
    case 'service':
      return toService(data.service)
    case 'article':
      return toArticle(data.article)
    default:
      return []
  }
}

const toService = ({
  name,
  summary,
  slug,
  category,
  sample,
}: ServiceRow): WithContext<SchemaService>[] =>
  sample
    ? []
    : [
        {
          '@context': 'https://schema.org',
          '@type': 'Service',
          name,
          description: summary,
          serviceType: category,
          url: publicUrl(readingPath('services', slug)),
          provider: { '@id': publicUrl('/#firm') },
        },
      ]

const toArticle = ({
  title,
  summary,
  slug,
  publishedAt,
  sample,
}: Article): WithContext<SchemaArticle>[] =>
  sample
    ? []
    : [
        {
          '@context': 'https://schema.org',
          '@type': 'Article',
          headline: title,
          ...(summary ? { description: summary } : {}),
          ...(publishedAt ? { datePublished: publishedAt } : {}),
          url: publicUrl(readingPath('articles', slug)),
          publisher: { '@id': publicUrl('/#firm') },
        },
      ]

export const breadcrumbs = (
  crumbs: { path: string; label: string }[],
): WithContext<BreadcrumbList>[] =>
  crumbs.length === 0
    ? []
    : [
        {
          '@context': 'https://schema.org',
          '@type': 'BreadcrumbList',
          itemListElement: [{ path: '/', label: specifiedMessages.home }, ...crumbs].map(
            ({ path, label }, index) => ({
              '@type': 'ListItem',
              position: index + 1,
              name: label,
              item: publicUrl(path),
            }),
          ),
        },
      ]

const DAYS = {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
} as const

/** A day that opens and closes at midnight is closed: holidays come after the weekdays they replace. */
function openingHours() {
  if (!site.hours) return {}
  const weekly = openingDays(site.hours).flatMap(({ day, times }) =>
    times.map(({ opens, closes }) => ({
      '@type': 'OpeningHoursSpecification' as const,
      dayOfWeek: DAYS[day],
      opens,
      // schema.org knows no 24:00.
      closes: closes === '24:00' ? '23:59' : closes,
    })),
  )
  const closed = (site.holidays ?? []).map((day) => ({
    '@type': 'OpeningHoursSpecification' as const,
    validFrom: day,
    validThrough: day,
    opens: '00:00',
    closes: '00:00',
  }))
  return { openingHoursSpecification: [...weekly, ...closed] }
}

/** Excludes links to a network's home page, and sample profiles. */
function linksOf() {
  const links = Object.values(socials).filter(
    (link) => URL.canParse(link) && new URL(link).pathname !== '/' && !isExampleLink(link),
  )
  return links.length > 0 ? { sameAs: links } : {}
}
