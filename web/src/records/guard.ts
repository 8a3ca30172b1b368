import { readAccess, type Action } from '@gatehouse/model'
import type { MiddlewareFunction } from 'react-router'
import { requireVisitor } from '#data/guard.ts'
import type { Definition } from '#data/definitions.ts'

type Params = { params: Record<string, string | undefined> }

const ACTION_OF_METHOD: Record<string, Action> = { POST: 'create', PUT: 'update', DELETE: 'delete' }

/** A convenience: the API enforces. */
export const requireAccess =
  (definitionOf: (args: Params) => Definition, action: Action): MiddlewareFunction =>
  async ({ request, params }) => {
    const { authorise, owner } = definitionOf({ params })
    const needed = readAccess(authorise, ACTION_OF_METHOD[request.method] ?? action, owner)
    await requireVisitor(needed, request)
  }
