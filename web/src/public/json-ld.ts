import { isExampleLink } from '@gatehouse/model'
import type { Service } from './catalogue.ts'
import { profile } from '#base/profile.ts'
import { controller, isPrinted, owner, site, socials } from '#base/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { publicUrl } from '#layout/head.ts'
import { servicePath } from '#base/service-path.ts'

export const firm = () => ({
  '@context': 'https://schema.org',
  '@type': 'ProfessionalService',
  '@id': publicUrl('/#firm'),
  name: site.name,
  legalName: controller.name,
  url: publicUrl('/'),
  ...(isPrinted ? { image: publicUrl('/og.png') } : {}),
  email: owner.email,
  address: controller.address,
  areaServed: site.country,
  ...linksOf(),
})

export const person = () => ({
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

export const service = ({ name, summary, slug, category, sample }: Service) =>
  sample
    ? []
    : [
        {
          '@context': 'https://schema.org',
          '@type': 'Service',
          name,
          description: summary,
          serviceType: category,
          url: publicUrl(servicePath(slug)),
          provider: { '@id': publicUrl('/#firm') },
        },
      ]

export const breadcrumbs = (crumbs: { path: string; label: string }[]) =>
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

/** Excludes links to a network's home page, and sample profiles. */
function linksOf() {
  const links = Object.values(socials).filter(
    (link) => URL.canParse(link) && new URL(link).pathname !== '/' && !isExampleLink(link),
  )
  return links.length > 0 ? { sameAs: links } : {}
}
