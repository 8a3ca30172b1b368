import type { InputOf } from '@gatehouse/model'
import type { Models } from '@gatehouse/model/models'

/** A record of any model, as the API sends it. */
export type RecordData = Record<string, unknown>

type Action<P extends keyof Models> = keyof Models[P]['actions'] & string

/** What does an action of a model of ours, for an Intent: names and input are those of its definition. */
export const act = <P extends keyof Models, A extends Action<P>>(
  model: P,
  id: string,
  action: A,
  input?: InputOf<Models[P], A>,
) => ({
  path: `${model}/${encodeURIComponent(id)}/${action}`,
  ...(input ? { body: input as object } : {}),
})
