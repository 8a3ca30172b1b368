import type { Action } from '@gatehouse/model'
import { currentUser, toVisitor } from '#auth/auth.ts'
import { canDo, type Definition } from './definitions.ts'

/** The right that taking back each kind of change needs: the API asks for the same. */
const NEEDS = {
  create: 'delete',
  update: 'update',
  delete: 'delete',
  restore: 'delete',
} as const satisfies Record<string, Action>

export type Undo = {
  /** What was done to a record of this model; nothing where the server names an operation only to whom may undo it. */
  of?: { definition: Definition; done: keyof typeof NEEDS }
  /** Leads to a page that shows it; without it the page that is open by then reloads. */
  onUndone?: () => unknown
}

/** Not where the server keeps no history, nor where the visitor has no right to take the change back. */
export async function canUndo({ of }: Undo) {
  if (!of) return true
  const { definition, done } = of
  if (!definition.trash) return false
  return canDo(definition, NEEDS[done], toVisitor(await currentUser()))
}
