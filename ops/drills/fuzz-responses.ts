export type Har = {
  log: {
    entries: {
      request: { method: string; url: string }
      response: { status: number; content: { text?: string } }
    }[]
  }
}

/** Must not occur in any error: stack traces, SQL, file paths, product names and versions. */
const INSIDE = [
  /\bat .+[(/].+:\d+:\d+/,
  /node_modules|node:internal|\.(ts|js|mjs):\d+/,
  /\/(work|home|root|usr|var|tmp|opt)\//,
  /\b(select|insert into|update|delete from)\b.+\b(from|set|values|where)\b/i,
  /\b(syntax error at|violates .+ constraint|invalid input syntax|SQLSTATE|pg_[a-z]+|relation "[^"]+")/i,
  /\b(postgres(ql)?|fastify|drizzle|pino|ajv|node\.?js)\b/i,
]

/** ASVS 16.5.1. Only our own text is checked, not input echoed to the caller. */
export const leaksOf = ({ log }: Har) =>
  log.entries
    .filter(({ response }) => response.status >= 400)
    .flatMap(({ request, response }) =>
      ownWords(response.content.text ?? '').flatMap((words) => {
        const found = INSIDE.find((pattern) => pattern.test(words))
        return found
          ? [`${request.method} ${request.url} reveals internals (${found}): ${words}`]
          : []
      }),
    )

/** In a problem, `current` is a record and a quoted name is the caller's. */
function ownWords(text: string): string[] {
  if (/^\s*<(!doctype|html)\b/i.test(text)) return textsOf(text)
  try {
    const problem = { ...(JSON.parse(text) as Record<string, unknown>), current: null }
    return [JSON.stringify(problem).replaceAll(/\\"(?:[^"\\]|\\\\.)*\\"/g, '')]
  } catch {
    return [text]
  }
}

/** Comments, attribute values and texts of a page, each on its own: `<select>` and a later "from" are not SQL. */
const textsOf = (page: string) =>
  [...page.matchAll(PIECES)].flatMap(([, comment, attributes, text]) => [
    ...(attributes?.match(VALUES) ?? []),
    ...[comment, text].filter((one) => one !== undefined),
  ])

const PIECES = /<!--([^]*?)-->|<[!/]?[a-z][^\s>]*((?:"[^"]*"|'[^']*'|[^"'>])*)>|([^<]+)/gi
const VALUES = /"[^"]*"|'[^']*'|[^\s"'=]+/g

/** Such as `GET 200 × 453, POST 201 × 38, 404 × 696…`: accepted requests by method show how deep the fuzzing went. */
export function statusesOf({ log }: Har) {
  const counts = new Map<string, number>()
  for (const { request, response } of log.entries) {
    const kind =
      response.status < 300 ? `${request.method} ${response.status}` : String(response.status)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([a], [b]) => b.length - a.length || a.localeCompare(b))
    .map(([kind, count]) => `${kind} × ${count}`)
    .join(', ')
}
