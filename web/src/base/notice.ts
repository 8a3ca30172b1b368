import { partOf } from './site-data.ts'

/** Generated from the definitions: see docs/decisions/17-the-notice.md. */
export const notice = partOf('notice')
