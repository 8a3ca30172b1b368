import { useRef } from 'react'
import { useLoaderData, useNavigate, useParams } from 'react-router'
import { callApi, readFailure } from '#api.ts'
import { texts } from '#content/texts.ts'
import { showToast } from '#feedback/toasts.tsx'
import { RecordForm } from '#forms/record-form.tsx'
import { nameOf, type Definition } from '#models.ts'
import { displayOf, guarded, loadFormFields, loadRecordToEdit } from './loading.ts'
import '#styles/records.scss'

export const loadCreate = (definition: Definition, request: Request) =>
  guarded(async () => ({ definition, fields: await loadFormFields(definition, request.signal) }))

export const loadEdit = (definition: Definition, id: string, request: Request) =>
  guarded(async () => {
    const [fields, loaded] = await Promise.all([
      loadFormFields(definition, request.signal),
      loadRecordToEdit(definition, id, request.signal),
    ])
    return { definition, fields, ...loaded }
  })

export function Create() {
  const { definition, fields } = useLoaderData<Awaited<ReturnType<typeof loadCreate>>>()
  const navigate = useNavigate()
  // One key per opened form: pressing twice, or again after a lost answer, makes one record.
  const key = useRef(crypto.randomUUID())
  const list = `/${definition.path.toLowerCase()}`
  const title = texts.createTitle(nameOf(definition))

  async function save(body: Record<string, unknown>) {
    const response = await send(definition.routeName, {
      method: 'POST',
      body,
      headers: { 'idempotency-key': key.current },
    })
    if (!response.ok) return readFailure(response)
    const made: unknown = await response.json().catch(() => null)
    const record = { ...body, ...Object(made) }
    showToast({
      message: texts.created(definition.viewData.title, displayOf(definition, record)),
      type: 'success',
    })
    await navigate(list)
    return undefined
  }

  return (
    <>
      <title>{title}</title>
      <div className="work-h">
        <h1>{title}</h1>
      </div>
      <RecordForm fields={fields} cancelTo={list} onSave={save} />
    </>
  )
}

export function Edit() {
  const { definition, fields, record, etag } = useLoaderData<Awaited<ReturnType<typeof loadEdit>>>()
  const navigate = useNavigate()
  const id = encodeURIComponent(useParams()['id'] ?? '')
  const detail = `/${definition.path.toLowerCase()}/${id}`
  const title = texts.editTitle(nameOf(definition))

  async function save(body: Record<string, unknown>) {
    const headers: Record<string, string> = etag ? { 'if-match': etag } : {}
    const response = await send(`${definition.routeName}/${id}`, { method: 'PUT', body, headers })
    if (!response.ok) return readFailure(response)
    showToast({
      message: texts.updated(
        definition.viewData.title,
        displayOf(definition, { ...record, ...body }),
      ),
      type: 'success',
    })
    await navigate(detail)
    return undefined
  }

  return (
    <>
      <title>{title}</title>
      <div className="work-h">
        <h1>{title}</h1>
        <span className="cnt">{displayOf(definition, record)}</span>
      </div>
      <RecordForm fields={fields} record={record} cancelTo={detail} onSave={save} />
    </>
  )
}

/** A network that fails is an answer too: the form keeps what was typed and says so. */
const send = (path: string, options: Parameters<typeof callApi>[1]) =>
  callApi(path, options).catch(
    (error: unknown) => new Response(error instanceof Error ? error.message : '', { status: 503 }),
  )
