import { data, redirect } from 'react-router'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { fromFormData } from '#forms/inputs/values.ts'
import type { Definition } from '#data/definitions.ts'
import { etagOf, mutate, type Base } from '#data/mutate.ts'
import type { Failure } from '#data/client.ts'
import { failure } from './loading.ts'

/**
 * Serves what is sent straight to a record route (quick edit, quick delete): POST creates, PUT changes, DELETE deletes.
 * The form pages have their own words; see DYN-10 to DYN-13 of docs/spec/clauses.md.
 */
export async function recordAction(
  definition: Definition,
  request: Request,
  id: string | undefined,
) {
  const method = METHODS.find((one) => one === request.method)
  if (!method || (method === 'POST') !== (id === undefined))
    throw failure(specifiedPageMessages.unsupportedAction, { status: 405, statusText: '' })
  const query = new URL(request.url).searchParams
  const body = method === 'DELETE' ? null : await readBody(definition, request)
  const outcome = await mutate({
    method,
    path: `${definition.routeName}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`,
    ...(body ? { body } : {}),
    // Anyone who sends the version they saw does not overwrite what came after it.
    etag: etagOf(query.get('version')),
    done: () =>
      method === 'DELETE' ? specifiedPageMessages.deletedDone : specifiedPageMessages.operationDone,
    undo: { of: { definition, done: DONE_BY[method] } },
  })
  if (outcome.kind === 'failed')
    return data<RefusedAction>(
      { ...outcome.failure, current: outcome.current },
      { status: outcome.status || 503 },
    )
  const list = `/${definition.path.toLowerCase()}`
  if (method === 'DELETE') return redirect(list + (query.get('list') ?? ''))
  const made = outcome.kind === 'saved' ? outcome.record['id'] : ''
  return redirect(`${list}/${encodeURIComponent(id ?? String(made ?? ''))}`)
}

/** What a route's action answers where the API refuses; `current` is the record, where an old version was the reason. */
export type RefusedAction = Failure & { current: Base | null }

const METHODS = ['POST', 'PUT', 'DELETE'] as const
const DONE_BY = { POST: 'create', PUT: 'update', DELETE: 'delete' } as const

async function readBody(
  { viewData }: Definition,
  request: Request,
): Promise<Record<string, unknown>> {
  if (request.headers.get('content-type')?.includes('json')) return Object(await request.json())
  const fields = [...viewData.fields, ...(viewData.unshown ?? [])]
  return fromFormData(fields, await request.formData())
}
