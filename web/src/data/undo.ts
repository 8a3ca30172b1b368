import type { Action } from '@gatehouse/model'
import { toVisitor } from '#auth/auth.ts'
import { currentUser } from '#auth/session.ts'
import { canDo, type Definition } from './definitions.ts'

/** The right that undoing each kind of change needs, as in the API. */
const NEEDS = {
  create: 'delete',
  update: 'update',
  delete: 'delete',
  restore: 'delete',
} as const satisfies Record<string, Action>

export type Undo = {
  /** The change and its model; absent if the server returns an operation ID only to users who may undo it. */
  of?: { definition: Definition; done: keyof typeof NEEDS }
  /** Navigates to a page that shows the result; by default the open page revalidates. */
  onUndone?: () => unknown
}

/** False without server history or without the right. */
export async function canUndo({ of }: Undo) {
  if (!of) return true
  const { definition, done } = of
  if (!definition.trash) return false
  return canDo(definition, NEEDS[done], toVisitor(await currentUser()))
}
