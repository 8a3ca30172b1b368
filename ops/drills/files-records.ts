import { isDeepStrictEqual } from 'node:util'
import { setTimeout } from 'node:timers/promises'
import type { DrillEnvironment } from './kit/drill-environment.ts'
import { uploadFile, type Upload } from './kit/file-client.ts'

const BYTES_MAX = 400_000
const PAUSE_MS = 10
/** Of one record; then comes the next. */
const STEPS = ['attach', 'attach', 'remove', 'undo', 'attach', 'undo', 'remove', 'purge'] as const
type Step = (typeof STEPS)[number]

type Change = 'create' | Step
const NONE: Record<Change, number> = { create: 0, attach: 0, remove: 0, undo: 0, purge: 0 }

/** Files of an organisation as acknowledged last; null: purged. */
type State = string[] | null
type Book = { id: string; state: State; undo: { operation: string; state: string[] } | null }

type Database = Pick<DrillEnvironment, 'ask'>

type Person = {
  environment: DrillEnvironment
  base: string
  index: number
  kind: string
  isOver: () => boolean
}

/** What people have done, and what became of it. */
export function openLedger() {
  return {
    sent: [] as Upload[],
    done: { ...NONE },
    /** Without an answer: the record is read, and must be as before the change or after it. */
    unanswered: 0,
    problems: [] as string[],
    books: [] as Book[],
  }
}

export type Ledger = ReturnType<typeof openLedger>

/** Uploads files, attaches them to organisations, takes them out, undoes that, and purges the organisation. */
export async function workOnRecords(person: Person, ledger: Ledger) {
  const { environment, base, index, kind, isOver } = person
  const identity = {
    sub: `kill-${kind}-${index}`,
    name: 'Kim',
    role: 'admin',
    owner: true,
  } as const
  // Signed in a moment ago, which a purge asks for.
  const token = () => environment.keys.tokenOf(identity)
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${base}/api/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await token()}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => null)
    const text = (await response?.text().catch(() => null)) ?? null
    // nginx answers for a replica that was killed: the outcome is unknown.
    if (!response || text === null || response.status >= 500) return null
    return { status: response.status, text, operation: response.headers.get('operation-id') }
  }

  async function upload(turn: number) {
    const bytes = 1 + ((index * 7_919 + turn * 104_729) % BYTES_MAX)
    const answer = await uploadFile({ base, token: await token(), bytes }).catch(() => null)
    if (answer?.status !== 201) return null
    ledger.sent.push(answer)
    return answer.id
  }

  /** Without an answer, what is stored decides which of both states the record has. */
  async function change(
    book: Book,
    { name, after, ask }: { name: Change; after: State; ask: () => ReturnType<typeof call> },
  ) {
    const answer = await ask()
    if (answer && answer.status < 300) {
      ledger.done[name]++
      book.undo =
        answer.operation && book.state ? { operation: answer.operation, state: book.state } : null
      book.state = after
      return
    }
    book.undo = null
    if (answer)
      return ledger.problems.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
    ledger.unanswered++
    const stored = await storedState(environment, book.id)
    const isKnown = [book.state, after].some((state) => isDeepStrictEqual(state, stored))
    if (!isKnown) ledger.problems.push(`${name}: neither as before nor as after it`)
    book.state = stored
  }

  const put = (book: Book, documents: string[]) =>
    call('PUT', `organisations/${book.id}`, { documents })
  const steps: Record<Step, (book: Book, files: string[], turn: number) => Promise<unknown>> = {
    attach: async (book, files, turn) => {
      const added = await upload(turn)
      const after = added === null ? files : [...files, added]
      await change(book, { name: 'attach', after, ask: () => put(book, after) })
    },
    remove: (book, [, ...after]) =>
      change(book, { name: 'remove', after, ask: () => put(book, after) }),
    undo: async (book) => {
      if (!book.undo) return
      const { operation, state } = book.undo
      const ask = () => call('POST', `operations/${operation}/undo`)
      await change(book, { name: 'undo', after: state, ask })
    },
    purge: async (book) => {
      // In the trash the record has its files; only the purge takes them.
      await call('DELETE', `organisations/${book.id}`)
      if (!(await isInTrash(environment, book.id))) return
      const ask = () => call('POST', `organisations/${book.id}/purge`)
      await change(book, { name: 'purge', after: null, ask })
    },
  }

  for (let turn = 0; !isOver();) {
    const first = await upload(turn++)
    if (first === null) {
      await setTimeout(PAUSE_MS)
      continue
    }
    const name = `Firm ${kind} ${index} ${turn}`
    const made = await call('POST', 'organisations', { name, documents: [first] })
    if (made?.status !== 201) {
      if (made) ledger.problems.push(`create: ${made.status} ${made.text.slice(0, 200)}`)
      else ledger.unanswered++
      continue
    }
    ledger.done.create++
    const { id } = JSON.parse(made.text) as { id: string }
    const book: Book = { id, state: [first], undo: null }
    ledger.books.push(book)
    for (const step of STEPS) {
      if (isOver() || book.state === null) break
      await steps[step](book, book.state, turn++)
      await setTimeout(PAUSE_MS)
    }
  }
}

/** Waits for a transaction of the killed process that still holds the row. */
async function storedState({ ask }: Database, id: string): Promise<State> {
  const [row] = await ask('select documents from organisations where id = $1 for update', [id])
  return row ? ((row['documents'] as string[] | null) ?? []) : null
}

async function isInTrash({ ask }: Database, id: string) {
  const [row] = await ask('select deleted_at from organisations where id = $1 for update', [id])
  return row?.['deleted_at'] instanceof Date
}

/** Records that lost what was acknowledged, and files that stand in one table alone. */
export async function checkRecords({ ask }: Database, { sent, books }: Ledger) {
  const ids = sent.map(({ id }) => id)
  const [wrong, named, attached] = await Promise.all([
    Promise.all(
      books.map(async ({ id, state }) => isDeepStrictEqual(await storedState({ ask }, id), state)),
    ),
    ask(
      `select file from organisations o, unnest(o.documents) as file
        where file = any($1) and not exists
          (select from files f where f.id = file and f.stage = 'attached' and f.record_id = o.id)`,
      [ids],
    ),
    ask(
      `select id from files f where id = any($1) and stage = 'attached' and not exists
        (select from organisations o where o.id = f.record_id and f.id = any(o.documents))`,
      [ids],
    ),
  ])
  return {
    lost: wrong.filter((isSame) => !isSame).length,
    named: named.length,
    attached: attached.length,
  }
}
