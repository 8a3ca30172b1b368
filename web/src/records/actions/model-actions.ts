import { matches, type Filter } from '@gatehouse/model'
import { asObject, readFields } from '#data/field.ts'
import { typeOf } from '#forms/inputs/types.ts'
import type { FormField } from '#forms/inputs/values.ts'
import type { Definition } from '#data/definitions.ts'
import type { RecordData } from '#records/record/loading.ts'

/** Something that can be done to a record beside changing its fields. */
export type ModelAction = {
  name: string
  label: string
  /** What its form asks; none where it asks nothing. */
  fields: FormField[]
  /** The question asked before it is done. */
  confirm: string | null
  /** What is said once it is done. */
  done: string
}

/** The actions that apply to the record, as far as the browser can tell: the server decides. */
export const actionsFor = (definition: Definition, record: RecordData, me: string | null) =>
  (definition.actions ?? []).flatMap((given): ModelAction[] => {
    const { name, label, when, fields, confirm, done } = asObject(given)
    if (![name, label, done].every((word) => typeof word === 'string' && word !== '')) return []
    if (when !== undefined && !applies(when as Filter, { definition, record, me })) return []
    return [
      {
        name: String(name),
        label: String(label),
        fields: Array.isArray(fields) ? readFields(fields) : [],
        confirm: typeof confirm === 'string' ? confirm : null,
        done: String(done),
      },
    ]
  })

type Asked = { definition: Definition; record: RecordData; me: string | null }

/** Someone else may have written the definition: what can't be understood does not apply. */
function applies(when: Filter, { definition, record, me }: Asked) {
  const now = new Date().toISOString()
  const fields = Object.fromEntries(
    definition.viewData.fields.map((field) => [field.name, { type: typeOf(field) }]),
  )
  try {
    return matches(when, record, { fields, context: { now, today: now.slice(0, 10) }, me })
  } catch {
    return false
  }
}
