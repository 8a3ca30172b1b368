import pg from 'pg'

/** What goes out with a statement: the `begin` before it, the `commit` after it. */
export type Around = { isFirst: boolean; isLast: boolean }

type Rows = pg.QueryResult['rows']
type Results = { rows: Rows } | { rows: Rows }[]
type End = 'begin' | 'commit'

/**
 * Sends a statement and what goes with it as one message, which PostgreSQL answers once. It skips whatever follows a
 * failure: a statement that fails is not committed, nor is what came before it.
 */
export async function send(client: pg.ClientBase, config: pg.QueryConfig, around: Around) {
  const { isFirst, isLast } = around
  if (!isFirst && !isLast) return (await client.query(config)).rows as Rows
  try {
    return await new Promise<Rows>((resolve, reject) => {
      const query = new pg.Query({ ...config, ...EXTENDED }, (error, results: Results) =>
        error ? reject(error) : resolve([results].flat()[isFirst ? 1 : 0]?.rows ?? []),
      )
      submitWith(query, around)
      client.query(query)
    })
  } catch (error) {
    // As pg does for others: from here it leads to who sent the statement.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

function submitWith(query: pg.Query, { isFirst, isLast }: Around) {
  const submit = query.submit.bind(query)
  query.submit = (connection) => {
    connection.stream.cork()
    try {
      if (isFirst) run(connection, 'begin')
      // What it returns is an error that it found before it sent anything.
      return submit(isLast ? committing(connection) : connection)
    } finally {
      connection.stream.uncork()
    }
  }
}

/** Also without values: the simple protocol takes no other statement along. */
const EXTENDED = { queryMode: 'extended' }

/** A connection that commits after what it executes, if it comes to that. */
const committing = (connection: pg.Connection): pg.Connection =>
  Object.assign(Object.create(connection) as pg.Connection, {
    execute: (config: pg.ExecuteConfig) => {
      connection.execute(config, true)
      run(connection, 'commit')
    },
  })

/** Without a portal's name or rows: there is nothing to describe. */
function run(connection: pg.Connection, statement: End) {
  connection.bind({ statement }, true)
  connection.execute({}, true)
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
