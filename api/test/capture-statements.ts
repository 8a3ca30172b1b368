import pg from 'pg'
import { vi } from 'vitest'

type Sent = { text: string; values?: unknown[] }

/** Background statements of the server: table sizes, security events, revocations. */
const ASIDE = /security_events|unnest\(\$1::text\[\]\) sub|reltuples|"revocations"/
const ENDS = /^(begin|commit|rollback)$/

/** Leaves out transaction control and the server's background statements. */
export async function captureStatements<T>(run: () => Promise<T>) {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const result = await run()
    const sent = query.mock.calls.map(([statement]) => statement as unknown as Sent)
    const statements = sent
      .filter(({ text }) => !ASIDE.test(text) && !ENDS.test(text))
      .map(({ text, values = [] }) => ({ text, values }))
    return { result, statements }
  } finally {
    query.mockRestore()
  }
}
