import { recordMessages } from '#messages/record.ts'
import type { Definition } from '#data/definitions.ts'
import type { Intent } from '#data/mutate.ts'

/** A record in the trash, as lists and its own page know it. */
export type Trashed = { id: string; name: string }

/** Takes a record out of the trash. */
export const toRestore = (
  definition: Definition,
  { id, name }: Trashed,
  onUndone?: () => unknown,
): Intent => ({
  path: `${definition.path}/${encodeURIComponent(id)}/restore`,
  body: {},
  done: () => recordMessages.restored(name),
  failed: ({ text }) => text,
  undo: { of: { definition, done: 'restore' }, ...(onUndone ? { onUndone } : {}) },
})
