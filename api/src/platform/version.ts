import { readFileSync } from 'node:fs'
import { fromRoot } from './paths.ts'

/** Version of the API contract. `npm run openapi -- --breaking` raises it, together with docs/api-changes.md. */
export const API_VERSION = '14.0.0'

export const RELEASE = readRelease()

function readRelease() {
  const text = readFileSync(fromRoot('package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
