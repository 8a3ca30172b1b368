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
      client.query(new Message(parts.map(prepared), filling, { resolve, reject }))
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
 * time; a named statement's stay as they are until it is prepared again. A class: closures for each message cost more.
 */
class Message {
  readonly parts: Prepared[]
  private readonly filling: Filling
  private readonly outcome: Outcome
  private at = 0
  private rows: Row[] = []
  private shape: Shape | undefined = undefined
  private failure: { error: unknown } | null = null

  constructor(parts: Prepared[], filling: Filling, outcome: Outcome) {
    this.parts = parts
    this.filling = filling
    this.outcome = outcome
  }

  // Of what is being answered: pg notes by them what a connection has parsed.
  get name() {
    return this.parts[this.at]?.name
  }
  get text() {
    return this.parts[this.at]?.text
  }

  submit(connection: pg.Connection) {
    connection.stream.cork()
    for (const part of this.parts) this.write(connection as Connection, part)
    connection.sync()
    connection.stream.uncork()
  }

  private write(connection: Connection, { name, text, values }: Prepared) {
    const isKnown = values === null || (name !== '' && name in connection.parsedStatements)
    if (!isKnown) connection.parse({ name, text, types: [] }, true)
    connection.bind({ statement: name, values: values ?? [] }, true)
    const isDescribed = isKnown && this.filling.shapes.has(name)
    if (values && !isDescribed) connection.describe({ type: 'P' }, true)
    connection.execute({}, true)
  }

  handleRowDescription({ fields }: Fields) {
    this.shape = buildShape(fields)
    if (this.name) this.filling.shapes.set(this.name, this.shape)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }) {
    this.shape ??= this.filling.shapes.get(this.name ?? '')
    try {
      if (this.shape) this.rows.push(this.shape(fields))
    } catch (error) {
      this.failure ??= { error }
    }
  }

  handleCommandComplete({ text: done }: { text: string }) {
    // A failure that nobody passed on: PostgreSQL takes that commit as a rollback.
    if (this.name === 'commit' && done === 'ROLLBACK')
      this.failure ??= { error: new Error('the transaction has failed before its commit') }
    this.handleEmptyQuery()
  }

  handleEmptyQuery() {
    if (this.parts[this.at]?.values) this.filling.answers.push(this.rows)
    this.at++
    this.rows = []
    this.shape = undefined
  }

  handleReadyForQuery() {
    if (this.failure) this.outcome.reject(this.failure.error)
    else this.outcome.resolve()
  }

  handleError(error: unknown) {
    this.outcome.reject(error)
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
