import type { Head } from '#layout/head.ts'
import { site } from '#base/site.ts'
import { headMessages } from '#messages/heads.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'

export const heads = {
  profile: {
    title: headMessages.title(headMessages.profile),
    description: headMessages.descriptions.profile,
    canonical: '/',
  },
  contact: {
    title: headMessages.title(specifiedMessages.contact),
    description: headMessages.descriptions.contact,
    canonical: '/contact',
  },
  privacy: {
    title: headMessages.title(siteMessages.privacyNotice),
    description: headMessages.descriptions.privacy,
    canonical: '/privacy',
  },
  security: {
    title: headMessages.title(siteMessages.security),
    description: headMessages.descriptions.security,
    canonical: '/security',
  },
  requests: noIndex(siteMessages.requests),
  staffRequests: noIndex(siteMessages.staffRequests),
  sessions: noIndex(siteMessages.sessions),
  desk: noIndex(siteMessages.desk),
  system: noIndex(siteMessages.system),
  people: noIndex(siteMessages.people),
  securityEvents: noIndex(siteMessages.securityEvents),
  changes: noIndex(siteMessages.changes),
  requestReceived: noIndex(siteMessages.requestReceived),
  login: noIndex(siteMessages.signInTitle),
  signIn: noIndex(specifiedMessages.completingSignIn),
  signOut: noIndex(specifiedMessages.completingSignOut),
  unauthorised: noIndex(specifiedMessages.unauthorised.title),
  loading: { title: site.name, description: site.name, canonical: null },
  notFound: noIndex(specifiedMessages.notFound.title),
  unexpectedError: noIndex(specifiedMessages.unexpectedError),
} satisfies Record<string, Head>

function noIndex(title: string): Head {
  return { title: headMessages.title(title), description: title, canonical: null }
}
