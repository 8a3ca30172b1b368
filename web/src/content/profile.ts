/** The profile page's own words; the rest of it is the site configuration's. */
export const profileTexts = {
  getInTouch: 'Get in touch',
  managedServices: 'Managed services',
  expertise: 'What the work covers',
  counted: (areas: number) => `${NUMBERS[areas] ?? areas} areas, counted by finished projects.`,
  projects: (count: number) => (count === 1 ? 'project' : 'projects'),
  certifications: 'Certifications',
  certification: 'Certification and issuer',
  year: 'Year',
  tools: 'Tools in daily use',
  cases: 'Three projects',
  from: 'from',
  to: 'to',
  builtWith: 'Built with',
  philosophy: 'How the engineering is done',
  closing: 'Describe the problem in plain words.',
  reply: 'The reply comes from the engineer who would do the work.',
  servicePlans: 'See service plans',
  sampleNote:
    'Figures, certificates and projects on this page are examples until they are replaced.',
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
