import type { Access } from './access.ts'
import type { Field } from './fields.ts'
import type { Filter } from './filter.ts'

/**
 * An action on one record: `POST /api/{model}/{id}/{name}`. Allowed if the caller sees the record and reaches `access`;
 * implemented by the function of this name in the model's behaviour.
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
