import { formatNumber, plural } from '#base/format.ts'
import { site } from '#base/site.ts'
import { responseTime } from './response-time.ts'

/** Fixed texts of the profile page; the rest comes from the site configuration. */
export const profileMessages = {
  getInTouch: 'Get in touch',
  managedServices: 'See managed services',
  certifications: 'Certifications',
  certificationsNote: 'Each links to its issuer.',
  certification: (issuer: string, year: number) => `${issuer}, ${year}`,
  expertise: 'Expertise',
  counted: (areas: number) =>
    plural(areas, {
      one: '1 area, by completed projects.',
      other: `${formatNumber(areas)} areas, by completed projects, strongest first.`,
    }),
  projects: (count: number) => plural(count, { one: 'project', other: 'projects' }),
  cases: 'Selected projects',
  from: 'from',
  to: 'to',
  builtWith: 'Built with',
  tools: 'Tools',
  philosophy: 'Engineering philosophy',
  closing: 'Tell us what’s going wrong.',
  reply: `The engineer who would do the work replies within ${responseTime(site.responseHours)}.`,
  servicePlans: 'Compare services and prices',
  sampleNote: 'Names, figures, certificates and projects here are placeholders.',
}
