import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = new URL('../..', import.meta.url).pathname

/** What git knows or would know; packages are linked, but our own must be those of the copy. */
export function copyWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-one-file-'))
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT, encoding: 'utf8' },
  )
  for (const file of files.split('\0').filter((name) => name && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(ROOT, file), join(folder, file))
  }
  const own = join(folder, 'node_modules/@gatehouse')
  mkdirSync(own, { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter(
    (name) => name !== '@gatehouse',
  ))
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  for (const name of ['model', 'api']) symlinkSync(join(folder, name), join(own, name))
  return folder
}

/** The one file, and its line in the list. */
export function addModel(copy: string) {
  writeFileSync(join(copy, 'model/src/models/invoices.ts'), MODEL)
  const list = join(copy, 'model/src/models/index.ts')
  const text = readFileSync(list, 'utf8')
  const longer = text.replace(/\n\]/, '\n  invoices,\n]')
  writeFileSync(list, `import { invoices } from './invoices.ts'\n${longer}`)
}

const MODEL = `import { defineModel } from '#definition/model.ts'
import { choices } from '#definition/options.ts'
import { np, personal } from '#definition/privacy.ts'

export const invoices = defineModel({
  name: 'Invoice',
  title: 'Invoices',
  path: 'invoices',
  displayField: 'reference',
  access: { list: 'user', get: 'user', create: 'admin', update: 'admin', delete: 'admin' },
  rowScope: { manager: 'organisation' },
  privacy: { subject: { email: 'sentTo' }, retention: 'customer', onErase: 'null' },
  fields: {
    number: { type: 'integer', label: 'Number', sequence: true, unique: true, sortable: true, privacy: np },
    reference: { type: 'text', label: 'Reference', required: true, unique: true, sortable: true, searchable: true, privacy: np },
    organisation: { type: 'relation', label: 'Organisation', to: 'organisations', onDelete: 'restrict', privacy: np },
    amount: { type: 'decimal', label: 'Amount', min: 0, step: 0.01, required: true, sortable: true, privacy: np },
    status: { type: 'select', label: 'Status', options: choices('Draft', 'Sent', 'Paid'), required: true, default: 'Draft', privacy: np },
    issuedOn: { type: 'date', label: 'Issued on', default: '@today', privacy: np },
    sentTo: { type: 'email', label: 'Sent to', privacy: personal('contact', ['records']) },
  },
})
`
