import type { Head } from '#layout/head.ts'
import type { Service } from '#public/catalogue.ts'
import { servicePath } from '#base/service-path.ts'
import { owner, site } from '#base/site.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'

/** Titles and descriptions of the public pages. */
export const heads = {
  profile: {
    title: `${owner.name}, ${owner.title} · ${site.name}`,
    description: `${owner.name}, ${owner.title} at ${site.name}: expertise, certifications, tools, projects and engineering philosophy.`,
    canonical: '/',
  },
  contact: {
    title: `${specifiedMessages.contact} · ${site.name}`,
    description: `Write to ${site.name}: questions, callback requests and client reports. First answer within ${site.responseHours} hours.`,
    canonical: '/contact',
  },
  privacy: {
    title: `${siteMessages.privacyNotice} · ${site.name}`,
    description: `What personal data ${site.name} keeps, why, for how long, and what you can do about it. Made from the program that stores it.`,
    canonical: '/privacy',
  },
  services: {
    title: `${siteMessages.services} · ${site.name}`,
    description: `Managed IT, cybersecurity and cloud services from ${site.name}: what each includes, what it costs and how fast we respond.`,
    canonical: '/msp/services',
  },
  security: {
    title: `${siteMessages.security} · ${site.name}`,
    description: `How ${site.name} protects data, and how to report a weakness.`,
    canonical: '/security',
  },
  requests: noIndex(siteMessages.requests),
  staffRequests: noIndex(siteMessages.staffRequests),
  desk: noIndex(siteMessages.desk),
  system: noIndex(siteMessages.system),
  requestReceived: noIndex(siteMessages.requestReceived),
  login: noIndex(siteMessages.signInTitle),
  signIn: noIndex(specifiedMessages.completingSignIn),
  signOut: noIndex(specifiedMessages.completingSignOut),
  unauthorised: noIndex(specifiedMessages.unauthorised.title),
  notFound: noIndex(specifiedMessages.notFound.title),
  unexpectedError: noIndex(specifiedMessages.unexpectedError),
} satisfies Record<string, Head>

export const serviceHead = ({ name, slug, summary }: Service): Head => ({
  title: `${name} · ${site.name}`,
  description: summary,
  canonical: servicePath(slug),
})

function noIndex(title: string): Head {
  return { title: `${title} · ${site.name}`, description: title, canonical: null }
}
