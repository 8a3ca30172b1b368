import { useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link, useLoaderData, useParams, useRevalidator } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { formatInstant } from '#base/dates.ts'
import { historyMessages } from '#messages/history.ts'
import { showToast } from '#feedback/toasts.tsx'
import { canDo, type Definition } from '#data/definitions.ts'
import { ActionIcon } from '#records/shared/action-icon.tsx'
import { Difference } from '#records/timeline/diff-view.tsx'
import {
  historyHeading,
  loadHistoryPage,
  shownChanges,
  type HistoryEntry,
  type HistorySteps,
} from '#records/timeline/load-history.ts'
import { loadRecord } from '#records/shared/load-record.ts'
import { displayOf, withLoaderErrors } from '#records/shared/loader-errors.ts'
import { toUndo } from '#data/mutate.ts'
import { useMutate } from '#data/use-mutate.ts'
import { BusyButton } from '#ui/busy-button.tsx'
import '#styles/records.scss'

export const loadHistory = (definition: Definition, id: string, request: Request) =>
  withLoaderErrors(async () => {
    const [loaded, page] = await Promise.all([
      loadRecord(definition, id, request),
      loadHistoryPage(definition, id, { before: null, signal: request.signal }),
    ])
    return { definition, ...loaded, page }
  })

export function History() {
  const data = useLoaderData<Awaited<ReturnType<typeof loadHistory>>>()
  const id = useParams()['id'] ?? ''
  return <HistoryPage key={`${data.definition.path} ${id}`} id={id} {...data} />
}

type HistoryProps = Awaited<ReturnType<typeof loadHistory>> & { id: string }

function HistoryPage({ definition, record, page, etag, isTrashed, id }: HistoryProps) {
  const [known, setLoaded] = useState({ page, steps: page })
  if (known.page !== page) setLoaded({ page, steps: joined(page, known.steps) })
  const { items, next } = known.steps
  const name = displayOf(definition, record)
  const detail = `/${definition.path.toLowerCase()}/${encodeURIComponent(id)}${isTrashed ? '?trash=true' : ''}`
  const title = historyMessages.historyOf(name)

  async function showOlder() {
    try {
      const more = await loadHistoryPage(definition, id, { before: next })
      setLoaded((now) =>
        // A second click or a restore may have changed the end of the list.
        now.steps.next === next
          ? { ...now, steps: { items: [...now.steps.items, ...more.items], next: more.next } }
          : now,
      )
    } catch {
      showToast({ message: historyMessages.historyFailed, type: 'danger' })
    }
  }

  return (
    <>
      <title>{title}</title>
      <div className="work-h">
        <h1>{title}</h1>
        <div className="acts">
          <Link className="btn btn-secondary btn-sm" to={detail}>
            {historyMessages.back}
          </Link>
        </div>
      </div>
      <ol className="steps">
        {items.map((step) => (
          <li key={step.version} className="panel">
            <StepCard
              definition={definition}
              step={step}
              isCurrent={step.version === record?.['version']}
              isTrashed={isTrashed}
              etag={etag}
            />
          </li>
        ))}
      </ol>
      {next !== null && (
        <button type="button" className="btn btn-secondary btn-sm" onClick={() => void showOlder()}>
          {historyMessages.older}
        </button>
      )}
    </>
  )
}

/** Merges a new first page with the loaded entries: a new revision pushes the oldest off that page. */
function joined(page: HistorySteps, shown: HistorySteps): HistorySteps {
  const oldest = page.items.at(-1)?.version ?? 0
  const isAdjacent = shown.items.some(({ version }) => version >= oldest)
  const older = shown.items.filter(({ version }) => version < oldest)
  if (!isAdjacent || older.length === 0) return page
  return { items: [...page.items, ...older], next: shown.next }
}

type CardProps = {
  definition: Definition
  step: HistoryEntry
  isCurrent: boolean
  isTrashed: boolean
  etag: string | null
}

function StepCard({ definition, step, isCurrent, isTrashed, etag }: CardProps) {
  const visitor = toVisitor(useAuth().user)
  const { revalidate } = useRevalidator()
  const { send, pending } = useMutate()
  const id = encodeURIComponent(useParams()['id'] ?? '')
  const { operation, version } = step
  const canRestore = !isTrashed && canDo(definition, 'update', visitor)
  const shown = shownChanges(definition, step)

  const restorePath = `${definition.path}/${id}/restore`
  const restore = (body: { version: number; fields?: string[] }, done: string) =>
    send({
      path: restorePath,
      body,
      etag,
      done: ({ operationId }) =>
        operationId ? done : { message: historyMessages.nothingRestored, type: 'info' },
      failed: ({ text }) => text,
      undo: { of: { definition, done: 'update' }, onUndone: revalidate },
    })

  return (
    <>
      <div className="panel-h">
        <h2>{historyHeading(step)}</h2>
        <span className="muted">
          <time dateTime={step.at}>{formatInstant(step.at)}</time>
          {' · '}
          {isCurrent ? historyMessages.current : historyMessages.version(version)}
        </span>
        <span className="end acts">
          {isCurrent && operation && (
            <BusyButton
              className="btn btn-secondary btn-sm"
              isBusy={pending.has(toUndo(operation).path)}
              onClick={() => send(toUndo(operation))}
            >
              <ActionIcon name="arrow-counterclockwise" /> {historyMessages.undo}
            </BusyButton>
          )}
          {!isCurrent && canRestore && step.action !== 'delete' && (
            <BusyButton
              className="btn btn-quiet btn-sm"
              isBusy={pending.has(restorePath)}
              onClick={() => restore({ version }, historyMessages.versionRestored(version))}
            >
              {historyMessages.restoreVersion}
            </BusyButton>
          )}
        </span>
      </div>
      {shown.length === 0 ? (
        <p className="empty">{historyMessages.noChanges}</p>
      ) : (
        <dl className="props changes">
          {shown.map(({ field, before, after, names }) => (
            <div key={field.name}>
              <dt>{field.label}</dt>
              <dd>
                <Difference field={field} before={before} after={after} names={names} />
                {canRestore && step.action === 'update' && (
                  <BusyButton
                    className="btn btn-quiet btn-sm"
                    label={historyMessages.putBack(field.label)}
                    isBusy={pending.has(restorePath)}
                    onClick={() =>
                      restore(
                        { version: version - 1, fields: [field.name] },
                        historyMessages.fieldRestored(field.label),
                      )
                    }
                  >
                    {historyMessages.putBackShort}
                  </BusyButton>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}
