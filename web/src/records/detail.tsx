import { useAuth } from 'react-oidc-context'
import { Link, useLoaderData, useParams } from 'react-router'
import { toVisitor } from '#auth.ts'
import { texts } from '#content/texts.ts'
import { canDo, type Definition } from '#models.ts'
import { displayOf, guarded, loadRecord } from './loading.ts'
import { Properties } from './properties.tsx'
import '#styles/records.scss'

export const loadDetail = (definition: Definition, id: string, request: Request) =>
  guarded(async () => ({ definition, ...(await loadRecord(definition, id, request.signal)) }))

export type DetailData = Awaited<ReturnType<typeof loadDetail>>

export function Detail() {
  const { definition, record } = useLoaderData<DetailData>()
  const visitor = toVisitor(useAuth().user)
  const path = `/${definition.path.toLowerCase()}`
  const title = displayOf(definition, record) || definition.viewData.title
  const id = encodeURIComponent(useParams()['id'] ?? '')
  return (
    <>
      <title>{title}</title>
      <div className="work-h">
        <h1>{title}</h1>
        {record && (
          <div className="acts">
            {canDo(definition, 'update', visitor) && (
              <Link className="btn btn-secondary btn-sm" to={`${path}/edit/${id}`}>
                {texts.edit}
              </Link>
            )}
            {canDo(definition, 'delete', visitor) && (
              <Link className="btn btn-danger-quiet btn-sm" to={`${path}/delete/${id}`}>
                {texts.delete}
              </Link>
            )}
          </div>
        )}
      </div>
      <div className="panel">
        {record ? (
          <Properties fields={definition.viewData.fields} record={record} />
        ) : (
          <p className="empty">{texts.noData}</p>
        )}
      </div>
    </>
  )
}
