/** The address of a service's page. One segment, also for a slug that is older than the pattern of slugs. */
export const servicePath = (slug: string) => `/msp/services/${encodeURIComponent(slug)}`
