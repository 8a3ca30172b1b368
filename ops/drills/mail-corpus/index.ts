import { ATTACHMENTS } from './attachments.ts'
import { AUTOMATIC } from './automatic.ts'
import { BOUNCES } from './bounces.ts'
import { CHARSETS } from './charsets.ts'
import { ENCODINGS } from './encodings.ts'
import { ENCRYPTED } from './encrypted.ts'
import type { CorpusEmail } from './expected.ts'
import { FIRST_ENCODINGS } from './first-encodings.ts'
import { FIRST_INTAKE } from './first-intake.ts'
import { FIRST_LARGE } from './first-large.ts'
import { FIRST_STRUCTURES } from './first-structures.ts'
import { HOSTILE } from './hostile.ts'
import { LIMITS } from './limits.ts'
import { MALFORMED } from './malformed.ts'
import { MULTIPARTS } from './multiparts.ts'
import { GMAIL_REPLIES } from './replies-gmail.ts'
import { OUTLOOK_REPLIES } from './replies-outlook.ts'
import { PLACED_REPLIES } from './replies-placement.ts'
import { REPORTS } from './reports.ts'
import { SPOOFS } from './spoofs.ts'
import { TEXTS } from './texts.ts'
import { TNEF_EMAILS } from './tnef.ts'

const COUNT = 200

/** The first 68, with which readers were compared. */
export const FIRST_EMAILS: CorpusEmail[] = [
  ...FIRST_STRUCTURES,
  ...FIRST_ENCODINGS,
  ...FIRST_LARGE,
  ...FIRST_INTAKE,
]

/** All emails; their names are unique. */
export const MAIL_CORPUS: CorpusEmail[] = [
  ...FIRST_EMAILS,
  ...CHARSETS,
  ...ENCODINGS,
  ...MALFORMED,
  ...ATTACHMENTS,
  ...MULTIPARTS,
  ...ENCRYPTED,
  ...TEXTS,
  ...GMAIL_REPLIES,
  ...OUTLOOK_REPLIES,
  ...PLACED_REPLIES,
  ...AUTOMATIC,
  ...BOUNCES,
  ...REPORTS,
  ...SPOOFS,
  ...LIMITS,
  ...HOSTILE,
  ...TNEF_EMAILS,
]

const names = new Set(MAIL_CORPUS.map(({ name }) => name))
if (MAIL_CORPUS.length !== COUNT) throw new Error(`${MAIL_CORPUS.length} emails, not ${COUNT}`)
if (names.size !== COUNT) throw new Error('Two emails have the same name')
