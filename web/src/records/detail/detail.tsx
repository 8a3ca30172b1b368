import { useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link, useLoaderData, useLocation, useParams, useRevalidator } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { currentUser } from '#auth/session.ts'
import { detailMessages } from '#messages/detail.ts'
import { recordMessages } from '#messages/record.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { canDo, type Definition } from '#data/definitions.ts'
import { ActionIcon } from '#records/shared/action-icon.tsx'
import { BusyButton } from '#ui/busy-button.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { readAbout, readAboutWithRelated, readInputs } from './about.ts'
import { Aside } from './aside.tsx'
import { Cell } from '#records/shared/cell.tsx'
import { loadRecord } from '#records/shared/load-record.ts'
import { displayOf, withLoaderErrors, type RecordData } from '#records/shared/loader-errors.ts'
import { Neighbours } from './neighbours.tsx'
import { QuickEdit } from './quick-edit.tsx'
import { Related } from './related.tsx'
import { fieldsOf } from '#records/shared/own-fields.ts'
import { TitleTone } from '#records/shared/tone.tsx'
import { TrashBanner } from '#records/trash/banner.tsx'
import { useActions } from '#records/actions/use-actions.tsx'
import { useDeferred } from '#records/shared/deferred.ts'
import '#styles/records.scss'

/** Deferred: related data loads after the record. */
export const loadDetail = (definition: Definition, id: string, request: Request) =>
  withLoaderErrors(async () => {
    const loaded = await loadRecord(definition, id, request)
    const { record, isTrashed } = loaded
    if (!record || isTrashed) return { definition, ...loaded, about: null, inputs: null }
    const opened = { id, signal: request.signal }
    return {
      definition,
      ...loaded,
      about: readAboutWithRelated(definition, record, opened),
      inputs: readInputs(definition, toVisitor(await currentUser()), opened),
    }
  })

export type DetailData = Awaited<ReturnType<typeof loadDetail>>

export const loadDelete = (definition: Definition, id: string, request: Request) =>
  withLoaderErrors(async () => ({
    definition,
    ...(await loadRecord(definition, id, request)),
    about: readAbout(definition, { id, signal: request.signal }),
  }))

/** For reading: no primary button. */
export function Detail() {
  const data = useLoaderData<DetailData>()
  const { definition, record, isTrashed } = data
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
        <RecordBody key={String(record['id'])} {...data} record={record} />
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
  // Passes the originating list on to the form.
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
          <ActionIcon name="pencil" /> {recordMessages.edit}
        </Link>
      )}
      {canDo(definition, 'delete', visitor) && (
        <Link className="btn btn-danger-quiet btn-sm" to={`${path}/delete/${id}`}>
          <ActionIcon name="trash3" /> {specifiedPageMessages.delete}
        </Link>
      )}
      {actions.form}
    </div>
  )
}

type WholeProps = DetailData & { record: RecordData }

function RecordBody({ definition, record, isTrashed, about: later, inputs }: WholeProps) {
  const about = useDeferred(later)
  const { revalidate } = useRevalidator()
  return (
    <div className="detail">
      <div className="detail-main">
        <section className="panel">
          <Fields definition={definition} record={record} inputs={inputs} />
        </section>
        {about?.referrers.map((related) => (
          <Related key={`${related.model} ${related.field}`} related={related} />
        ))}
        {about === null && (
          <LoadFailed what={detailMessages.relatedRecords} onRetry={() => void revalidate()} />
        )}
      </div>
      <Aside definition={definition} record={record} about={about ?? null} isTrashed={isTrashed} />
    </div>
  )
}

type FieldsProps = Pick<WholeProps, 'definition' | 'record' | 'inputs'>

function Fields({ definition, record, inputs }: FieldsProps) {
  const [editing, setEditing] = useState<string | null>(null)
  const form = useDeferred(inputs)
  const { revalidate } = useRevalidator()
  const inputOf = (name: string) =>
    form?.fields.find((field) => field.name === name && !field.immutable)
  const edited = editing === null ? undefined : inputOf(editing)
  return (
    <>
      <dl className="props">
        {fieldsOf(definition, [record]).map((field) => (
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
                      <ActionIcon name="pencil" />
                    </button>
                  )}
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {form === null && (
        <LoadFailed what={detailMessages.quickEdits} onRetry={() => void revalidate()} />
      )}
    </>
  )
}
