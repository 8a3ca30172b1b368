import type { Access } from './access.ts'
import type { Field } from './fields.ts'
import type { Filter } from './filter.ts'

/**
 * An action on one record: `POST /api/{model}/{id}/{name}`. Allowed if the caller sees the record and reaches `access`;
 * implemented by the function of this name in the model's behaviour.
 */
export type ModelAction = {
  /** Text of the button. */
  label: string
  /** Level required to run it. */
  access: Access
  /** Requires a fresh sign-in. */
  isFresh?: true
  /** Records it applies to; default: all. */
  when?: Filter
  /** Input; default: none. */
  fields?: Readonly<Record<string, Field>>
  /** Confirmation question; omitted if Undo is enough. */
  confirm?: string
  /** Message after success. */
  done: string
  /** Replaces `done` if the action sent no email. */
  doneUnmailed?: string
}
