import { createHash } from 'node:crypto'
import { readHead } from './email-head.ts'

const FIELDS = ['message-id', 'date', 'from', 'subject']

/**
 * Equal for two copies of one email, as to a To and a Cc address; differs between two emails with the same Message-ID. Without a
 * Message-ID and a date, all bytes count.
 */
export function contentKeyOf(email: Buffer): string {
  const { first, bodyStart } = readHead(email)
  const values = FIELDS.map((name) => first(name) ?? '')
  const [messageId, date] = values
  const hash = createHash('sha256')
  if (!messageId && !date) return hash.update(email).digest('hex')
  return hash
    .update(values.map((value) => `${value}\n`).join(''))
    .update(email.subarray(bodyStart))
    .digest('hex')
}
