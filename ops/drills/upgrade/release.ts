import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runIn } from '../../../tools/build/workspace.ts'

export const NEW_MESSAGE = 'Deliver, support and improve contracted services'
const OLD_TEXT = 'Deliver and support contracted services'

const COURIERS = `import { defineModel } from '#definition/model.ts'
import { np, personal } from '#definition/privacy.ts'

export const couriers = defineModel({
  name: 'Courier',
  title: 'Couriers',
  path: 'couriers',
  displayField: 'name',
  access: { list: 'admin', get: 'admin', create: 'admin', update: 'admin', delete: 'admin' },
  privacy: { subject: { email: 'email' }, retention: 'relationship', onErase: 'null' },
  fields: {
    name: { type: 'text', label: 'Name', required: true, searchable: true, privacy: np },
    email: { type: 'email', label: 'Email', privacy: personal('contact', ['delivery']) },
  },
})
`
const FIELD = `    courierPhone: {
      type: 'tel',
      label: 'Courier phone',
      privacy: personal('contact', ['delivery'], { erase: 'null' }),
    },
`

/** A release of the product: a model, a column on the table the site has extended, a text of the notice. */
export function createRelease(copy: string) {
  const models = join(copy, 'model/src/models')
  writeFileSync(join(models, 'couriers.ts'), COURIERS)
  const list = join(models, 'index.ts')
  rewrite(list, '\n] as const', '\n  couriers,\n] as const')
  rewrite(
    list,
    'import { contacts }',
    "import { couriers } from './couriers.ts'\nimport { contacts }",
  )
  addCourierPhone(copy)
  rewrite(join(copy, 'model/src/definition/privacy.ts'), OLD_TEXT, NEW_MESSAGE)
  runIn(copy, 'db:migration', 'next')
  runIn(copy, 'openapi')
  runIn(copy, 'notice:write')
}

export function addCourierPhone(copy: string) {
  const file = join(copy, 'model/src/models/organisations.ts')
  rewrite(file, '    billingEmail: ', `${FIELD}    billingEmail: `)
}

export function addSiteField(copy: string) {
  rewrite(
    join(copy, 'site/models/invoices.ts'),
    '    sentTo: ',
    "    note: { type: 'text', label: 'Note', privacy: np },\n    sentTo: ",
  )
  runIn(copy, 'db:migration', 'add-note')
}

/** A later release claims a path the site already uses. */
export function claimAddress(copy: string) {
  rewrite(join(copy, 'model/src/models/couriers.ts'), "path: 'couriers'", "path: 'invoices'")
}

export function rewrite(file: string, from: string, to: string) {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} lacks the text this drill replaces`)
  writeFileSync(
    file,
    text.replace(from, () => to),
  )
}
