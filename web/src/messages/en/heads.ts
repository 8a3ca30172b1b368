import { isOwnerFirm, owner, site } from '#base/site.ts'
import { responseTime } from './response-time.ts'

/** Titles and descriptions of the public pages for search engines and link previews. */
export const headMessages = {
  title: (page: string) => `${page} · ${site.name}`,
  profile: `${owner.name}, ${owner.title}`,
  descriptions: {
    profile: isOwnerFirm
      ? `${owner.title} from ${site.name}.`
      : `${owner.name}, ${owner.title} at ${site.name}: expertise, certifications, tools, projects and engineering philosophy.`,
    contact: `Contact ${site.name}: questions, callback requests and client reports. We reply within ${responseTime(site.responseHours)}.`,
    privacy: `What personal data ${site.name} keeps, why, for how long, and your rights. Generated from the system that stores it.`,
    services: `Managed IT, cybersecurity and cloud services from ${site.name}: what each includes, costs and how fast we respond.`,
    articles: `Maintenance, security advisories, guides and announcements from ${site.name}.`,
    security: `How ${site.name} protects data, and how to report a vulnerability.`,
  },
}
