import pg from 'pg'
import { vi } from 'vitest'

type Sent = { text: string; values: unknown[] }

/** Of the server itself, beside the requests: sizes of tables, readings and other events, what was revoked. */
const ASIDE = /security_events|unnest\(\$1::text\[\]\) sub|reltuples|"revocations"/

/** The statements that are sent while something runs, begin and commit left out, and in how many messages. */
export async function watched<T>(run: () => Promise<T>) {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const result = await run()
    const messages = query.mock.calls.map(([message]) => partsOf(message)).filter(isOfRequest)
    return { result, messages: messages.length, statements: messages.flat() }
  } finally {
    query.mockRestore()
  }
}

/** One that makes `begin` known to a new connection has no parts. */
const partsOf = (message: unknown) => {
  const { parts = [] } = message as { parts?: (Sent | { text: string; values: null })[] }
  return parts.filter((part): part is Sent => part.values !== null)
}
const isOfRequest = (statements: Sent[]) =>
  statements.length > 0 && !statements.some(({ text }) => ASIDE.test(text))
