import { useEffect, useRef, useState } from 'react'
import { Link, useLoaderData, useNavigate, useParams } from 'react-router'
import { callApi } from '#api.ts'
import { texts } from '#content/texts.ts'
import { showToast } from '#feedback/toasts.tsx'
import { nameOf } from '#models.ts'
import { Icon } from '#ui/icon.tsx'
import type { DetailData } from './detail.tsx'
import { displayOf } from './loading.ts'
import { Properties } from './properties.tsx'
import '#styles/records.scss'

const FIELDS_SHOWN = 6

/** Shows the record and asks. The focus starts on keeping it. */
export function Delete() {
  const { definition, record, etag } = useLoaderData<DetailData>()
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const keep = useRef<HTMLAnchorElement>(null)
  const list = `/${definition.path.toLowerCase()}`
  const id = encodeURIComponent(useParams()['id'] ?? '')
  const title = texts.deleteQuestion(nameOf(definition))
  useEffect(() => keep.current?.focus(), [])

  async function remove() {
    setDeleting(true)
    const headers: Record<string, string> = etag ? { 'if-match': etag } : {}
    const isDone = await callApi(`${definition.routeName}/${id}`, {
      method: 'DELETE',
      headers,
    }).then(
      (response) => response.ok,
      () => false,
    )
    const say = isDone ? texts.deleted : texts.deleteFailed
    showToast({
      message: say(definition.viewData.title, displayOf(definition, record)),
      type: isDone ? 'success' : 'danger',
    })
    await navigate(list)
  }

  return (
    <>
      <title>{title}</title>
      <div className="work-h">
        <h1>{title}</h1>
        <span className="cnt">{displayOf(definition, record)}</span>
      </div>
      <div className="panel confirm">
        <div className="body">
          <p className="note warning">
            <Icon name="exclamation-triangle-fill" /> {texts.deleteWarning}
          </p>
        </div>
        {record ? (
          <Properties fields={definition.viewData.fields.slice(0, FIELDS_SHOWN)} record={record} />
        ) : (
          <p className="empty">{texts.noData}</p>
        )}
        <div className="foot">
          <button
            type="button"
            className="btn btn-danger btn-sm"
            disabled={isDeleting || !record}
            onClick={() => void remove()}
          >
            {isDeleting ? (
              <>
                <span className="spin" aria-hidden="true" /> {texts.deleting}
              </>
            ) : (
              texts.delete
            )}
          </button>
          <Link className="btn btn-secondary btn-sm" to={`${list}/${id}`} ref={keep}>
            {texts.keepRecord}
          </Link>
        </div>
      </div>
    </>
  )
}
