import { data, redirect } from 'react-router'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { fromFormData } from '#forms/inputs/values.ts'
import type { Definition } from '#data/definitions.ts'
import { etagOf, mutate, type Base } from '#data/mutate.ts'
import type { Failure } from '#data/failure.ts'
import { loaderError } from './loader-errors.ts'

/** Route action of quick edit and quick delete: POST creates, PUT updates, DELETE deletes. Texts: DYN-10 to DYN-13. */
export async function recordAction(
  definition: Definition,
  request: Request,
  id: string | undefined,
) {
  const method = METHODS.find((one) => one === request.method)
  if (!method || (method === 'POST') !== (id === undefined))
    throw loaderError(specifiedPageMessages.unsupportedAction, { status: 405, statusText: '' })
  const query = new URL(request.url).searchParams
  const body = method === 'DELETE' ? null : await readBody(definition, request)
  const outcome = await mutate({
    method,
    path: `${definition.routeName}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`,
    ...(body ? { body } : {}),
    // If-Match of the version shown: later changes are not overwritten.
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

/** Action data of a rejection; `current` is the record after a 412. */
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
