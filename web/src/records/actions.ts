import { data, redirect } from 'react-router'
import { callApi, readFailure } from '#api.ts'
import { texts } from '#content/texts.ts'
import { showToast } from '#feedback/toasts.tsx'
import { fromFormData } from '#forms/values.ts'
import type { Definition } from '#models.ts'
import { failure } from './loading.ts'

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
  if (!isKnown) throw failure(texts.unsupportedAction, { status: 405, statusText: '' })
  const path = `${definition.routeName}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
  const body = method === 'DELETE' ? undefined : await readBody(definition, request)
  // Whoever sends the version they saw does not overwrite what came after it.
  const version = new URL(request.url).searchParams.get('version')
  const headers: Record<string, string> = version ? { 'if-match': `"${version}"` } : {}
  const response = await callApi(path, { method, headers, ...(body ? { body } : {}) }).catch(
    () => null,
  )
  if (!response) return data({ text: texts.unreachable, errors: [] }, { status: 503 })
  if (!response.ok) return data(await readFailure(response), { status: response.status })

  const list = `/${definition.path.toLowerCase()}`
  if (method === 'DELETE') {
    showToast({ message: texts.deletedDone, type: 'success' })
    return redirect(list)
  }
  const made: unknown = await response.json().catch(() => null)
  const target = id ?? String(Reflect.get(Object(made), 'id') ?? '')
  showToast({ message: texts.operationDone, type: 'success' })
  return redirect(`${list}/${encodeURIComponent(target)}`)
}

async function readBody(
  { viewData }: Definition,
  request: Request,
): Promise<Record<string, unknown>> {
  if (request.headers.get('content-type')?.includes('json')) return Object(await request.json())
  return fromFormData(viewData.fields, await request.formData())
}
