import { useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link, useLoaderData, useLocation, useParams } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { detailMessages } from '#messages/detail.ts'
import { recordMessages } from '#messages/record.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import type { FormField } from '#forms/inputs/values.ts'
import { canDo, type Definition } from '#data/definitions.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { BusyButton } from '#ui/busy-button.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { Aside } from './aside.tsx'
import { Cell } from '#records/record/cell.tsx'
import { displayOf, guarded, loadRecord, type RecordData } from '#records/record/loading.ts'
import { Neighbours } from './neighbours.tsx'
import { QuickEdit } from './quick-edit.tsx'
import { Related } from './related.tsx'
import { TitleTone } from '#records/record/tone.tsx'
import { TrashBanner } from '#records/trash/banner.tsx'
import { useActions } from '#records/actions/use-actions.tsx'
import { useApi } from '#records/record/use-api.ts'
import '#styles/records.scss'

export const loadDetail = (definition: Definition, id: string, request: Request) =>
  guarded(async () => ({
    definition,
    ...(await loadRecord(definition, id, request)),
  }))

export type DetailData = Awaited<ReturnType<typeof loadDetail>>

/** One record: what it says, what is around it. Reading is the job here, so nothing is primary. */
export function Detail() {
  const { definition, record, isTrashed } = useLoaderData<DetailData>()
  const title = displayOf(definition, record) || definition.viewData.title
  return (
    <>
      <title>{title}</title>
      <div className="work-h">
        <h1>{title}</h1>
        {record && <TitleTone fields={definition.viewData.fields} record={record} />}
        {record && !isTrashed && <Actions definition={definition} record={record} />}
      </div>
      {record && isTrashed && <TrashBanner definition={definition} record={record} />}
      {record ? (
        <Whole
          key={`${String(record['id'])} ${String(record['version'])}`}
          definition={definition}
          record={record}
          isTrashed={isTrashed}
        />
      ) : (
        <div className="panel">
          <p className="empty">{specifiedPageMessages.noData}</p>
        </div>
      )}
    </>
  )
}

function Actions({ definition, record }: { definition: Definition; record: RecordData }) {
  const visitor = toVisitor(useAuth().user)
  const path = `/${definition.path.toLowerCase()}`
  const id = encodeURIComponent(useParams()['id'] ?? '')
  const actions = useActions(definition, [record])
  // The list one came from goes along, so that one is still in it after the form.
  const state: unknown = useLocation().state
  return (
    <div className="acts">
      {definition.trash && <Neighbours definition={definition} id={id} />}
      {actions.of(record).map((action) => (
        <BusyButton
          key={action.name}
          className="btn btn-secondary btn-sm"
          isBusy={actions.isPending(action, record)}
          onClick={() => actions.start(action, record)}
        >
          {action.label}
        </BusyButton>
      ))}
      {canDo(definition, 'update', visitor) && (
        <Link className="btn btn-secondary btn-sm" to={`${path}/edit/${id}`} state={state}>
          <RecordIcon name="pencil" /> {recordMessages.edit}
        </Link>
      )}
      {canDo(definition, 'delete', visitor) && (
        <Link className="btn btn-danger-quiet btn-sm" to={`${path}/delete/${id}`}>
          <RecordIcon name="trash3" /> {specifiedPageMessages.delete}
        </Link>
      )}
      {actions.form}
    </div>
  )
}

/** What is known of a record beside its fields. */
export type About = {
  createdBy: { name: string | null; isYou: boolean } | null
  updatedBy: { name: string | null; isYou: boolean } | null
  referrers: Referrer[]
  /** Why the record itself can't be deleted. */
  deleteRefusal: string | null
}
export type Referrer = {
  model: string
  field: string
  label: string
  title: string
  onDelete: 'restrict' | 'unlink' | 'cascade'
  count: number
  exact: boolean
}

type WholeProps = { definition: Definition; record: RecordData; isTrashed: boolean }

function Whole({ definition, record, isTrashed }: WholeProps) {
  const id = encodeURIComponent(useParams()['id'] ?? '')
  const { data: about, retry } = useApi<About>(
    definition.trash && !isTrashed ? `${definition.path}/${id}/about` : null,
    record['version'],
  )
  return (
    <div className="detail">
      <div className="detail-main">
        <section className="panel">
          <Fields definition={definition} record={record} isTrashed={isTrashed} />
        </section>
        {about?.referrers.map((referrer) => (
          <Related
            key={`${referrer.model} ${referrer.field}`}
            referrer={referrer}
            id={String(record['id'])}
            isTwice={about.referrers.filter(({ model }) => model === referrer.model).length > 1}
          />
        ))}
        {about === null && <LoadFailed what={detailMessages.relatedRecords} onRetry={retry} />}
      </div>
      <Aside definition={definition} record={record} about={about ?? null} isTrashed={isTrashed} />
    </div>
  )
}

/** Every field; those that may be changed can be, one at a time, without leaving the page. */
function Fields({ definition, record, isTrashed }: WholeProps) {
  const visitor = toVisitor(useAuth().user)
  const [editing, setEditing] = useState<string | null>(null)
  const canEdit = Boolean(definition.trash) && !isTrashed && canDo(definition, 'update', visitor)
  const { data: form, retry } = useApi<{ fields: FormField[] }>(
    canEdit ? `${definition.path}/form-metadata` : null,
  )
  const inputOf = (name: string) =>
    form?.fields.find((field) => field.name === name && !field.immutable)
  const edited = editing === null ? undefined : inputOf(editing)
  return (
    <>
      <dl className="props">
        {definition.viewData.fields.map((field) => (
          <div key={field.name}>
            <dt>{field.label}</dt>
            <dd>
              {edited && edited.name === field.name ? (
                <QuickEdit
                  definition={definition}
                  field={edited}
                  record={record}
                  onDone={() => setEditing(null)}
                />
              ) : (
                <>
                  <Cell field={field} record={record} isWhole />
                  {inputOf(field.name) && (
                    <button
                      type="button"
                      className="btn btn-quiet btn-icon btn-sm quick"
                      aria-label={detailMessages.quickEdit(field.label)}
                      onClick={() => setEditing(field.name)}
                    >
                      <RecordIcon name="pencil" />
                    </button>
                  )}
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {form === null && <LoadFailed what={detailMessages.quickEdits} onRetry={retry} />}
    </>
  )
}
