import { readAccess, type Action } from '@gatehouse/model'
import type { MiddlewareFunction } from 'react-router'
import { requireVisitor } from '#data/guard.ts'
import { definitionsSettled, type Definition } from '#data/definitions.ts'

/** What is sent to a page asks for more than looking at it. */
const ACTION_OF_METHOD: Record<string, Action> = { POST: 'create', PUT: 'update', DELETE: 'delete' }

/** Lets pass, or sends to /login or /unauthorised. A courtesy: the API decides on its own. */
export const requireAccess =
  (definition: () => Definition, action: Action): MiddlewareFunction =>
  async ({ request }) => {
    await definitionsSettled()
    const needed = readAccess(definition().authorise, ACTION_OF_METHOD[request.method] ?? action)
    await requireVisitor(needed, request)
  }
