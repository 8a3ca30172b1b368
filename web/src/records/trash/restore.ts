import { recordMessages } from '#messages/record.ts'
import type { Definition } from '#data/definitions.ts'
import type { Intent } from '#data/mutate.ts'

export type Trashed = { id: string; name: string }

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
