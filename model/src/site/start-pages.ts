import type { SiteConfig } from './config.ts'

/** The footer always has all eight links (LAY-08): without a profile, the start page of a service. */
export const START_PAGES: SiteConfig['socials'] = {
  credentials: 'https://www.credly.com/',
  cloudLearning: 'https://learn.microsoft.com/',
  developerProfile: 'https://dev.to/',
  codeHosting: 'https://github.com/',
  messaging: 'https://www.whatsapp.com/',
  microblog: 'https://x.com/',
  socialNetwork: 'https://www.facebook.com/',
  professionalNetwork: 'https://www.linkedin.com/',
}
