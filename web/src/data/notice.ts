import { loadPart } from './load-part.ts'

/** Generated from the definitions: see docs/decisions/17-the-notice.md. */
export const notice = await loadPart('notice')
