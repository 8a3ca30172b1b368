/** The version of what the API promises. `npm run openapi -- --breaking` raises it, together with docs/api-changes.md. */
export const API_VERSION = '2.0.0'
