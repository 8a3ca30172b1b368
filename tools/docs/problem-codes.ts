import { problemMessages } from '@gatehouse/model'
import { code, table } from './markdown.ts'
import type { Sources } from './sources.ts'

type Problem = { status: number; code: string; message: string }

export function errorsSection(sources: Sources) {
  const rows = problemsOf(sources).map((problem) => [
    String(problem.status),
    code(problem.code),
    problem.message,
  ])
  return [
    '## Errors',
    'Every error is a problem document (RFC 9457) with a `status`, a stable `code`, a `detail` for users, the `requestId`, and `errors` per field where they apply. Rely on `code`; the wording may change, and a code with several texts is listed with one of them. A site’s behaviours can add codes with `conflict(code, detail)`.',
    table(['Status', 'Code', 'Detail'], rows),
  ]
}

/** Found in the sources of the API, because the codes have no table of their own. */
export function problemsOf({ apiFiles, read }: Sources): Problem[] {
  const found = new Map<string, Problem>()
  const add = (status: number, name: string, text: string | undefined) => {
    const key = `${status} ${name}`
    if ((found.get(key)?.message ?? VARYING) === VARYING)
      found.set(key, { status, code: name, message: messageOf(text) })
  }
  for (const file of apiFiles) {
    const source = read(file)
    for (const [, status, maker = '', name = '', text] of source.matchAll(CREATED))
      add(Number(status ?? STATUSES[maker]), name, text)
    for (const [, name = '', text] of source.matchAll(COMPARED)) add(409, name, text)
  }
  return [...found.values()].toSorted(
    (one, other) => one.status - other.status || (one.code < other.code ? -1 : 1),
  )
}

/** Functions that take the code as their first argument. */
const STATUSES: Record<string, number> = { conflict: 409, unavailable: 503 }
/** `new HttpError(404, 'record-not-found', texts.recordNotFound` or `conflict('in-use', problemMessages.inUse`. */
const CREATED =
  /(?:new HttpError\(\s*(\d{3}),|\b(conflict|unavailable)\()\s*'([\w-]+)',\s*(?:(?:problemMessages|texts)\.(\w+))?/g
/** `=== 'address-gone') throw conflict(mail, problemMessages.addressGone`. */
const COMPARED = /=== '([\w-]+)'\) throw conflict\(\w+, problemMessages\.(\w+)/g

const VARYING = 'Depends on the request.'

function messageOf(name: string | undefined) {
  const message = (problemMessages as Record<string, unknown>)[name ?? '']
  if (typeof message === 'string') return message
  if (typeof message !== 'function') return VARYING
  return String(message(...Array.from({ length: message.length }, () => '…')))
}
