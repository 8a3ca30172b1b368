import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { models, stores } from '../api/src/installation.ts'
import { columnName, tableName } from '../api/src/engine/table-names.ts'
import { readSettings } from '../tools/stack/settings.ts'

const run = promisify(execFile)
const DUMP_MAX_BYTES = 512 * 1024 * 1024

export type FoundColumn = { column: string; what: string }

/** All columns of both databases that contain one of these values, plain, encoded or hashed. */
export async function columnsContaining(values: Record<string, string>): Promise<FoundColumn[]> {
  const forms = Object.entries(values).flatMap(([what, value]) =>
    formsOf(value).map((form) => ({ what, form })),
  )
  const traces = new Map<string, FoundColumn>()
  for (const database of ['gatehouse', 'keycloak'])
    for (const { column, text } of cellsOf(await dump(database))) {
      const lower = text.toLowerCase()
      for (const { what, form } of forms)
        if (lower.includes(form)) {
          const name = database === 'gatehouse' ? column : `${database}.${column}`
          traces.set(`${name} ${what}`, { column: name, what })
        }
    }
  return [...traces.values()]
}

export const isDeclared = (column: string) => DECLARED.some((name) => matches(column, name))

const DECLARED = [
  ...models.flatMap((model) =>
    Object.entries({ ...model.retired, ...model.fields })
      .filter(([, { privacy }]) => privacy.personal)
      .map(([name]) => `${tableName(model)}.${columnName(model, name)}`),
  ),
  ...Object.entries(stores)
    .filter(([, store]) => store.personal)
    .flatMap(([name, { places }]) => [
      ...(name.startsWith('every record.')
        ? models.map((model) => `${tableName(model)}.${name.split('.')[1]}`)
        : [name]),
      ...places.map((place) => `${place}.*`),
    ]),
]

const matches = (column: string, name: string) =>
  name.endsWith('.*') ? column.startsWith(name.slice(0, -1)) : column === name

function formsOf(value: string) {
  const bytes = Buffer.from(value)
  const spellings = [...new Set([value, value.toLowerCase()])]
  return [
    value.toLowerCase(),
    encodeURIComponent(value).toLowerCase(),
    bytes.toString('hex'),
    bytes.toString('base64').replaceAll('=', '').slice(0, -2).toLowerCase(),
    ...spellings.flatMap((text) =>
      ['md5', 'sha1', 'sha256'].map((algorithm) =>
        createHash(algorithm).update(text).digest('hex'),
      ),
    ),
  ]
}

async function dump(database: string) {
  const url = readSettings().databaseUrl('postgres', database)
  const { stdout } = await run('pg_dump', ['--data-only', '--no-owner', url], {
    maxBuffer: DUMP_MAX_BYTES,
  })
  return stdout
}

/** The cells of a plain dump by `table.column`; tables outside `public` are prefixed with their schema. */
function* cellsOf(text: string) {
  let columns: string[] | null = null
  for (const line of text.split('\n')) {
    const start = /^COPY (\S+) \((.*)\) FROM stdin;$/.exec(line)
    if (start) {
      const table = (start[1] ?? '').replace(/^public\./, '').replaceAll('"', '')
      columns = (start[2] ?? '').split(', ').map((name) => `${table}.${name.replaceAll('"', '')}`)
    } else if (line === '\\.') columns = null
    else if (columns)
      for (const [place, cell] of line.split('\t').entries())
        if (cell !== '\\N') yield { column: columns[place] ?? '', text: cell }
  }
}
