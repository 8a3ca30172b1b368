import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rewrite } from './release.ts'
import { runIn } from '../../../tools/build/workspace.ts'

const MODELS = 30
export const LARGE_ROWS = 1_000_000

/** Adds models until there are thirty, then a field to each, a migration a model each time: with those of the invoices, sixty. */
export function enlargeSite(copy: string) {
  const paths = Array.from({ length: MODELS - 1 }, (_, index) => `list${index + 2}`)
  const index = join(copy, 'site/index.ts')
  const imports = paths.map((path) => `import { ${path} } from './models/${path}.ts'\n`)
  const text = readFileSync(index, 'utf8')
    .replace('import { invoices }', `${imports.join('')}import { invoices }`)
    .replace('models: [invoices]', `models: [invoices, ${paths.join(', ')}]`)
  writeFileSync(index, text)
  const file = (path: string) => join(copy, `site/models/${path}.ts`)
  for (const path of paths) writeFileSync(file(path), modelOf(path))
  runIn(copy, 'db:migration', 'add-lists')
  for (const path of paths) rewrite(file(path), '  fields: {\n', `  fields: {\n${NOTE}`)
  runIn(copy, 'db:migration', 'add-notes')
  splitMigrations(join(copy, 'site/migrations'))
}

const NOTE = "    note: { type: 'text', label: 'Note', privacy: np },\n"

/** As if each model had been changed on a day of its own: sixty calls of `db:migration` would take minutes. */
function splitMigrations(folder: string) {
  const names = readdirSync(folder).filter((name) => /-add-(lists|notes)\.sql$/.test(name))
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8').trim())
  for (const name of names) rmSync(join(folder, name))
  let number = readdirSync(folder).filter((name) => name.endsWith('.sql')).length
  for (const text of texts) {
    const statements = text.split('\n\n')
    for (const [list, own] of Map.groupBy(statements, (one) => /"site_(list\d+)/.exec(one)?.[1])) {
      const file = `${String(++number).padStart(4, '0')}-change-${list}.sql`
      writeFileSync(join(folder, file), `${own.join('\n\n')}\n`)
    }
  }
}

const modelOf = (path: string) => `import { defineModel, np } from '@gatehouse/model'

export const ${path} = defineModel({
  name: '${path}',
  title: '${path}',
  path: '${path}',
  displayField: 'title',
  access: { list: 'admin', get: 'admin', create: 'admin', update: 'admin', delete: 'admin' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    title: { type: 'text', label: 'Title', required: true, searchable: true, privacy: np },
    amount: { type: 'decimal', label: 'Amount', sortable: true, privacy: np },
    organisation: {
      type: 'relation',
      label: 'Organisation',
      to: 'organisations',
      onDelete: 'restrict',
      privacy: np,
    },
  },
})
`

/** A million invoices beside those that the API wrote. */
export const SEED_INVOICES = `insert into site_invoices (id, reference, amount, status, sent_to)
  select gen_random_uuid(), 'L-' || n, n % 1000, 'Draft', 'person' || n || '@copper.example'
  from generate_series(1, ${LARGE_ROWS}) n`
