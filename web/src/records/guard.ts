import { readAccess, type Action } from '@gatehouse/model'
import type { MiddlewareFunction } from 'react-router'
import { requireVisitor } from '#data/guard.ts'
import type { Definition } from '#data/definitions.ts'

type Params = { params: Record<string, string | undefined> }

/** What is sent to a page asks for more than looking at it. */
const ACTION_OF_METHOD: Record<string, Action> = { POST: 'create', PUT: 'update', DELETE: 'delete' }

/** Lets pass, or sends to /login or /unauthorised. A courtesy: the API decides on its own. */
export const requireAccess =
  (definitionOf: (args: Params) => Definition, action: Action): MiddlewareFunction =>
  async ({ request, params }) => {
    const needed = readAccess(
      definitionOf({ params }).authorise,
      ACTION_OF_METHOD[request.method] ?? action,
    )
    await requireVisitor(needed, request)
  }
