/** The path of a service's page. Encoded: stored slugs may predate the slug pattern. */
export const servicePath = (slug: string) => `/msp/services/${encodeURIComponent(slug)}`
