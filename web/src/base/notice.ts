import type { Notice } from '@gatehouse/model'

/** Generated from the definitions at build time: see docs/decisions/17-the-notice.md. */
declare const NOTICE: Notice

export const notice = NOTICE
