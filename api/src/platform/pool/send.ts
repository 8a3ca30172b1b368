import pg from 'pg'
import { buildShape, type Row, type Shape } from './shape.ts'

type End = 'begin' | 'commit'
/** What one message holds: statements, and where their transactions begin and end. */
export type Part = pg.QueryConfig | End

/** What the rows of the named statements of a pool look like. */
export type Shapes = Map<string, Shape>

/** pg's own, which its types leave out. */
type Connection = pg.Connection & { parsedStatements: Record<string, string> }
const { utils } = pg as unknown as { utils: { prepareValue: (value: unknown) => Value } }

type Filling = {
  shapes: Shapes
  /** Gets the rows of each statement that was done, also where a later one fails. */
  answers: Row[][]
}

/**
 * Sends all parts as one message, which PostgreSQL answers once. It skips whatever follows a failure: a statement that fails
 * is not committed, nor is what came before it in its transaction.
 */
export async function send(client: pg.ClientBase, parts: Part[], filling: Filling) {
  try {
    await new Promise<void>((resolve, reject) => {
      client.query(buildMessage(parts.map(prepared), filling, { resolve, reject }))
    })
  } catch (error) {
    // As pg does: from here it leads to who sent the statement.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

type Value = string | Buffer | null
type Prepared = { name: string; text: string; values: Value[] | null }

/** Before anything is sent: a value that can't be written must not leave half a message. */
const prepared = (part: Part): Prepared =>
  typeof part === 'string'
    ? { name: part, text: part, values: null }
    : { name: part.name ?? '', text: part.text, values: (part.values ?? []).map(toText) }

const toText = (value: unknown) => (typeof value === 'string' ? value : utils.prepareValue(value))

type Outcome = { resolve: () => void; reject: (error: unknown) => void }
type Fields = { fields: { name: string; dataTypeID: number }[] }

/**
 * What pg gives a connection to send, and what it tells of the answer. Its own class has PostgreSQL describe the rows each
 * time; a named statement's stay as they are until it is prepared again.
 */
function buildMessage(
  parts: Prepared[],
  { shapes, answers }: Filling,
  { resolve, reject }: Outcome,
) {
  let at = 0
  let rows: Row[] = []
  let shape: Shape | undefined
  let failure: { error: unknown } | null = null

  function write(connection: Connection, { name, text, values }: Prepared) {
    const isKnown = values === null || (name !== '' && name in connection.parsedStatements)
    if (!isKnown) connection.parse({ name, text, types: [] }, true)
    connection.bind({ statement: name, values: values ?? [] }, true)
    if (values && !(isKnown && shapes.has(name))) connection.describe({ type: 'P' }, true)
    connection.execute({}, true)
  }

  function next() {
    if (parts[at]?.values) answers.push(rows)
    at++
    rows = []
    shape = undefined
  }

  return {
    parts,
    // Of what is being answered: pg notes by them what a connection has parsed.
    get name() {
      return parts[at]?.name
    },
    get text() {
      return parts[at]?.text
    },
    submit(connection: pg.Connection) {
      connection.stream.cork()
      for (const part of parts) write(connection as Connection, part)
      connection.sync()
      connection.stream.uncork()
    },
    handleRowDescription({ fields }: Fields) {
      shape = buildShape(fields)
      const name = parts[at]?.name
      if (name) shapes.set(name, shape)
    },
    handleDataRow({ fields }: { fields: (string | null)[] }) {
      shape ??= shapes.get(parts[at]?.name ?? '')
      try {
        if (shape) rows.push(shape(fields))
      } catch (error) {
        failure ??= { error }
      }
    },
    handleCommandComplete({ text: done }: { text: string }) {
      // A failure that nobody passed on: PostgreSQL takes that commit as a rollback.
      if (parts[at]?.name === 'commit' && done === 'ROLLBACK')
        failure ??= { error: new Error('the transaction has failed before its commit') }
      next()
    },
    handleReadyForQuery: () => (failure ? reject(failure.error) : resolve()),
    handleError: reject,
    handleEmptyQuery: next,
  }
}

/** PostgreSQL's invalid_sql_statement_name: a connection that doesn't know them is of no use. */
export const isUnprepared = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === '26000'

/** Makes both known to a new connection, which then takes them without parsing. */
export const prepareEnds = (client: pg.ClientBase) =>
  client.query({
    text: 'begin',
    submit: (connection: pg.Connection) => {
      for (const end of ['begin', 'commit'] satisfies End[])
        connection.parse({ name: end, text: end, types: [] }, true)
      connection.sync()
    },
    handleReadyForQuery: () => {},
    /** The connection is lost, which its next statement will notice. */
    handleError: () => {},
  })
