import { Fragment } from 'react'
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
import { fieldsNamed, presentationOf } from '#data/presentation.ts'
import { readAbout, readInputs } from './about.ts'
import { Cell, isEmptyValue } from '#records/shared/cell.tsx'
import { loadRecord } from '#records/shared/load-record.ts'
import { displayOf, withLoaderErrors, type RecordData } from '#records/shared/loader-errors.ts'
import { Neighbours } from './neighbours.tsx'
import { PlainBody } from './plain-body.tsx'
import { readPageParts } from './page-parts.ts'
import { SectionedBody } from './sectioned-body.tsx'
import { TitleTones } from './title-tones.tsx'
import { ViewPageLink } from '#records/shared/view-page-link.tsx'
import { TrashBanner } from '#records/trash/banner.tsx'
import { useActions } from '#records/actions/use-actions.tsx'
import { addToRecent } from '#records/shared/recent.ts'
import { useDeferred } from '#records/shared/deferred.ts'
import '#styles/records.scss'

/** Deferred: related data loads after the record. */
export const loadDetail = (definition: Definition, id: string, request: Request) =>
  withLoaderErrors(async () => {
    const loaded = await loadRecord(definition, id, request)
    const { record, isTrashed } = loaded
    const visitor = toVisitor(await currentUser())
    // Records in the trash have nothing beside them.
    const opened = record && !isTrashed ? { record, id, signal: request.signal } : null
    if (opened) addToRecent(definition, visitor, id)
    return {
      definition,
      ...loaded,
      inputs: opened && readInputs(definition, visitor, opened),
      parts: readPageParts(definition, visitor, opened),
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
        {record && <TitleTones fields={definition.viewData.fields} record={record} />}
        {record && !isTrashed && <Actions definition={definition} record={record} />}
        {record && <Summary definition={definition} record={record} />}
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

/** One line below the title: values with a middle dot between them, without empty ones. */
function Summary({ definition, record }: { definition: Definition; record: RecordData }) {
  const shown = fieldsNamed(definition, presentationOf(definition).summary).filter(
    ({ name }) => !isEmptyValue(record[name]),
  )
  if (shown.length === 0) return null
  return (
    <p className="sub">
      {shown.map((field, place) => (
        <Fragment key={field.name}>
          {place > 0 && ' · '}
          <Cell field={field} record={record} />
        </Fragment>
      ))}
    </p>
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
      <ViewPageLink definition={definition} visitor={visitor} record={record} />
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

type RecordBodyProps = DetailData & { record: RecordData }

function RecordBody({ definition, record, isTrashed, inputs, parts }: RecordBodyProps) {
  const form = useDeferred(inputs)
  const { revalidate } = useRevalidator()
  const inputOf = (name: string) =>
    form?.fields.find((field) => field.name === name && !field.immutable)
  const shown = { definition, record, isTrashed, inputOf }
  return (
    <>
      {form === null && (
        <LoadFailed what={detailMessages.quickEdits} onRetry={() => void revalidate()} />
      )}
      {parts.kind === 'sections' ? (
        <SectionedBody {...shown} parts={parts} />
      ) : (
        <PlainBody {...shown} about={parts.about} />
      )}
    </>
  )
}
