import type { Email } from 'postal-mime'

/** A fault that shows in what was parsed, and the same email without it. */
type Repair = { isNeeded: (parsed: Email) => boolean; mend: (source: string) => string }

const UNTYPED = /^(content-type:[ \t]*text)[ \t]*(?=;|\r?$)/gim
/** A line that goes on, with blanks that a server added at its end. */
const SOFT_BREAK = /=[ \t]+(?=\r?\n)/g
/** Up to the next delimiter. */
const QUOTED_PRINTABLE =
  /^content-transfer-encoding:[ \t]*quoted-printable\b(?:[^\n]*\n(?!--))*[^\n]*/gim

const REPAIRS: Repair[] = [
  {
    isNeeded: ({ attachments }) => attachments.some(({ mimeType }) => !mimeType.includes('/')),
    mend: (source) => source.replaceAll(UNTYPED, '$1/plain'),
  },
  {
    isNeeded: ({ text = '', html = '' }) => /=[ \t]+\n/.test(text) || /=[ \t]+\n/.test(html),
    mend: (source) =>
      source.replaceAll(QUOTED_PRINTABLE, (part) => part.replaceAll(SOFT_BREAK, '=')),
  },
]

/** The email without faults for which its text is lost or garbled. Null if it has none. */
export function repairStructure(email: Buffer, parsed: Email) {
  const needed = REPAIRS.filter(({ isNeeded }) => isNeeded(parsed))
  if (needed.length === 0) return null
  const source = email.toString('latin1')
  const mended = needed.reduce((text, { mend }) => mend(text), source)
  return mended === source ? null : Buffer.from(mended, 'latin1')
}
