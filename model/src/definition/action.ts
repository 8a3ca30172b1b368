import type { Access } from './access.ts'
import type { Field } from './fields.ts'
import type { Filter } from './filter.ts'

/**
 * Something done to one record beside changing its fields: `POST /api/{model}/{id}/{name}`. Whoever sees the record and
 * reaches `access` may do it; what it does is a function with this name in the model's behaviour.
 */
export type ModelAction = {
  label: string
  access: Access
  /** The records it applies to now; all of them when absent. */
  when?: Filter
  /** What is sent along; nothing when absent. */
  fields?: Readonly<Record<string, Field>>
  /** The question asked before it is done; none where Undo is enough. */
  confirm?: string
  /** The sentence said once it is done. */
  done: string
}
