import { site } from '#base/site.ts'

/** The profile page's own words; the rest of it is the site configuration's. */
export const profileMessages = {
  getInTouch: 'Get in touch',
  managedServices: 'See managed services',
  certifications: 'Certifications',
  certificationsNote: 'Each links to its issuer.',
  certification: (issuer: string, year: number) => `${issuer}, ${year}`,
  expertise: 'Expertise',
  counted: (areas: number) => `${NUMBERS[areas] ?? areas} areas, by completed projects.`,
  projects: (count: number) => (count === 1 ? 'project' : 'projects'),
  cases: 'Selected projects',
  from: 'from',
  to: 'to',
  builtWith: 'Built with',
  tools: 'Tools',
  philosophy: 'Engineering philosophy',
  closing: 'Tell us what’s going wrong.',
  reply: `The engineer who would do the work replies within ${site.responseHours} hours.`,
  servicePlans: 'Compare services and prices',
  sampleNote: 'Names, figures, certificates and projects here are placeholders.',
}

const NUMBERS: Record<number, string> = {
  3: 'Three',
  4: 'Four',
  5: 'Five',
  6: 'Six',
  7: 'Seven',
  8: 'Eight',
  9: 'Nine',
}
