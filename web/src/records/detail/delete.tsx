import { useEffect, useRef } from 'react'
import { Link, useLoaderData, useNavigate, useParams, useRevalidator } from 'react-router'
import { deleteMessages } from '#messages/delete.ts'
import { recordMessages } from '#messages/record.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { definitionAt, nameOf } from '#data/definitions.ts'
import { Icon } from '#ui/icon.tsx'
import { ActionIcon } from '#records/shared/action-icon.tsx'
import { BusyButton } from '#ui/busy-button.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import type { About, Referrer } from './about.ts'
import type { loadDelete } from './detail.tsx'
import { displayOf } from '#records/shared/loader-errors.ts'
import { fieldsOf } from '#records/shared/own-fields.ts'
import { Properties } from '#records/shared/properties.tsx'
import { useMutate } from '#data/use-mutate.ts'
import { useDeferred } from '#records/shared/deferred.ts'
import '#styles/records.scss'

/** Keep, not Delete, has the initial focus. */
export function Delete() {
  return <Question key={useParams()['id']} />
}

function Question() {
  const data = useLoaderData<Awaited<ReturnType<typeof loadDelete>>>()
  const { definition, record, etag } = data
  const navigate = useNavigate()
  const { send, pending } = useMutate()
  const keep = useRef<HTMLAnchorElement>(null)
  const list = `/${definition.path.toLowerCase()}`
  const id = encodeURIComponent(useParams()['id'] ?? '')
  const title = deleteMessages.deleteQuestion(nameOf(definition))
  const about = useDeferred(data.about)
  const { revalidate } = useRevalidator()
  const isLoading = definition.trash && about === undefined
  const reason = about?.deleteRefusal
  const isBlocked = Boolean(reason) || (about?.referrers.some(blocks) ?? false)
  const promise = definition.trash ? recordMessages.trashKept : recordMessages.deleteWarning
  useEffect(() => keep.current?.focus({ preventScroll: true }), [])

  function remove() {
    const x = displayOf(definition, record)
    const leave = () => navigate(list)
    send(
      {
        method: 'DELETE',
        path: `${definition.routeName}/${id}`,
        etag,
        done: () => specifiedPageMessages.deleted(nameOf(definition), x),
        failed: ({ text }) => ({
          message: specifiedPageMessages.deleteFailed(nameOf(definition), x),
          note: text,
          type: 'danger',
        }),
        undo: { of: { definition, done: 'delete' }, onUndone: () => navigate(`${list}/${id}`) },
      },
      { onSaved: leave, onFailed: leave },
    )
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
            <Icon name="exclamation-triangle-fill" />{' '}
            {isLoading ? PLACEHOLDER : (reason ?? promise)}
          </p>
          {definition.trash && !reason && (
            <Dependents about={about} onRetry={() => void revalidate()} />
          )}
        </div>
        {record ? (
          <Properties fields={fieldsOf(definition, [record])} record={record} />
        ) : (
          <p className="empty">{specifiedPageMessages.noData}</p>
        )}
        <div className="foot">
          <BusyButton
            className="btn btn-danger btn-sm"
            isBusy={pending.size > 0}
            busyLabel={specifiedPageMessages.deleting}
            isDisabled={isBlocked || isLoading || !record}
            onClick={remove}
          >
            <ActionIcon name="trash3" /> {specifiedPageMessages.delete}
          </BusyButton>
          <Link ref={keep} className="btn btn-secondary btn-sm" to={`${list}/${id}`}>
            {recordMessages.keepRecord}
          </Link>
        </div>
      </div>
    </>
  )
}

/** Placeholder until the server has responded. */
const PLACEHOLDER = '\u00a0'

/** Blocking, unlinked and cascading records. Space is reserved, so nothing shifts. */
function Dependents({ about, onRetry }: { about: About | null | undefined; onRetry: () => void }) {
  const found = about?.referrers.filter(({ count }) => count > 0) ?? []
  return (
    <section className="dependents" aria-labelledby="dependents">
      <h2 id="dependents">{deleteMessages.depends}</h2>
      {about === null && <LoadFailed message={deleteMessages.dependsUnknown} onRetry={onRetry} />}
      {found.length === 0 ? (
        <p>
          {about === undefined ? deleteMessages.looking : about && deleteMessages.nothingDepends}
        </p>
      ) : (
        <ul>
          {found.map((referrer) => (
            <li
              key={`${referrer.model} ${referrer.field}`}
              className={blocks(referrer) ? 'blocks' : undefined}
            >
              {sentenceOf(referrer)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const blocks = ({ onDelete, count }: Referrer) => onDelete === 'restrict' && count > 0

function sentenceOf({ model, onDelete, count, exact, title, label }: Referrer) {
  const definition = definitionAt(model)
  const referring = { count, exact, title, name: definition ? nameOf(definition) : title }
  if (onDelete === 'restrict') return deleteMessages.blocks(referring, label)
  return onDelete === 'unlink'
    ? deleteMessages.unlinks(referring, label)
    : deleteMessages.goesAlong(referring)
}
