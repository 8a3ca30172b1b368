import { data, redirect } from 'react-router'
import { callApi, readFailure } from '#data/client.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { showToast } from '#feedback/toasts.tsx'
import { fromFormData } from '#forms/inputs/values.ts'
import type { Definition } from '#data/definitions.ts'
import { revalidatePage } from '#data/revalidate.ts'
import { failure } from './loading.ts'
import { undoAction } from '#data/undo.ts'

/**
 * Serves what is sent straight to a record route (quick edit, quick delete): POST creates, PUT changes, DELETE deletes.
 * The form pages have their own words; see DYN-10 to DYN-13 of docs/clauses.md.
 */
export async function recordAction(
  definition: Definition,
  request: Request,
  id: string | undefined,
) {
  const { method } = request
  const isKnown =
    (method === 'POST' && id === undefined) ||
    (['PUT', 'DELETE'].includes(method) && id !== undefined)
  if (!isKnown)
    throw failure(specifiedPageMessages.unsupportedAction, { status: 405, statusText: '' })
  const path = `${definition.routeName}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
  const body = method === 'DELETE' ? undefined : await readBody(definition, request)
  // Whoever sends the version they saw does not overwrite what came after it.
  const query = new URL(request.url).searchParams
  const version = query.get('version')
  const headers: Record<string, string> = version ? { 'if-match': `"${version}"` } : {}
  const response = await callApi(path, { method, headers, ...(body ? { body } : {}) }).catch(
    () => null,
  )
  if (!response) return data({ text: siteMessages.unreachable, errors: [] }, { status: 503 })
  if (!response.ok) return data(await readFailure(response), { status: response.status })

  const list = `/${definition.path.toLowerCase()}`
  const undoable = await undoAction({
    definition,
    done: DONE_BY[method] ?? 'update',
    operationId: response.headers.get('operation-id'),
    onUndone: () => void revalidatePage(),
  })
  if (method === 'DELETE') {
    showToast({ message: specifiedPageMessages.deletedDone, type: 'success', ...undoable })
    return redirect(list + (query.get('list') ?? ''))
  }
  const made: unknown = await response.json().catch(() => null)
  const target = id ?? String(Reflect.get(Object(made), 'id') ?? '')
  showToast({ message: specifiedPageMessages.operationDone, type: 'success', ...undoable })
  return redirect(`${list}/${encodeURIComponent(target)}`)
}

const DONE_BY: Record<string, 'create' | 'update' | 'delete'> = {
  POST: 'create',
  PUT: 'update',
  DELETE: 'delete',
}

async function readBody(
  { viewData }: Definition,
  request: Request,
): Promise<Record<string, unknown>> {
  if (request.headers.get('content-type')?.includes('json')) return Object(await request.json())
  const fields = [...viewData.fields, ...(viewData.unshown ?? [])]
  return fromFormData(fields, await request.formData())
}
