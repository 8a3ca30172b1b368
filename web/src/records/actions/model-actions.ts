import { matches, type Filter } from '@gatehouse/model'
import { asObject, readFields } from '#data/field.ts'
import { typeOf } from '#forms/inputs/types.ts'
import type { FormField } from '#forms/inputs/values.ts'
import type { Definition } from '#data/definitions.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'

export type ModelAction = {
  name: string
  label: string
  /** Fields of its form; empty without one. */
  fields: FormField[]
  confirm: string | null
  done: string
  /** Success message if the server sent no email. */
  doneUnmailed: string | null
}

/** Actions that apply to the record; the server enforces. */
export const actionsFor = (definition: Definition, record: RecordData, me: string | null) =>
  (definition.actions ?? []).flatMap((given): ModelAction[] => {
    const { name, label, when, fields, confirm, done, doneUnmailed } = asObject(given)
    if (![name, label, done].every((word) => typeof word === 'string' && word !== '')) return []
    if (when !== undefined && !applies(when as Filter, { definition, record, me })) return []
    return [
      {
        name: String(name),
        label: String(label),
        fields: Array.isArray(fields) ? readFields(fields) : [],
        confirm: typeof confirm === 'string' ? confirm : null,
        done: String(done),
        doneUnmailed: typeof doneUnmailed === 'string' ? doneUnmailed : null,
      },
    ]
  })

type Subject = { definition: Definition; record: RecordData; me: string | null }

/** Other servers' definitions may have unreadable conditions, which don't apply. */
function applies(when: Filter, { definition, record, me }: Subject) {
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
