import { canAccess, readAccess, type Action } from '@gatehouse/model'
import { useAuth } from 'react-oidc-context'
import { Link, useHref, useParams } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { hasProductPages } from '#auth/read-config.ts'
import { formatInstant } from '#base/dates.ts'
import { detailMessages } from '#messages/detail.ts'
import { recordMessages } from '#messages/record.ts'
import type { Definition } from '#data/definitions.ts'
import { renderMarked } from '#ui/render-marked.tsx'
import { ActionIcon } from '#records/shared/action-icon.tsx'
import { copyToClipboard } from '#records/shared/copy-to-clipboard.ts'
import type { About } from './about.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'

type Props = {
  definition: Definition
  record: RecordData
  about: Pick<About, 'createdBy' | 'updatedBy'> | null
  isTrashed: boolean
}

export function Aside({ definition, record, about, isTrashed }: Props) {
  // The response may omit the id.
  const opened = useParams()['id']
  const id = String(record['id'] ?? opened)
  const path = `/${definition.path.toLowerCase()}/${encodeURIComponent(id)}`
  const address = useHref(path)
  const { isAuthenticated, user } = useAuth()
  const isOwner = canAccess('owner', toVisitor(user ?? null))
  return (
    <aside className="panel">
      <div className="panel-h">
        <h2>{detailMessages.aside}</h2>
      </div>
      <dl className="side-props">
        <dt>{detailMessages.id}</dt>
        <dd className="mono copyable">
          <span>{id}</span>
          <button
            type="button"
            className="btn btn-quiet btn-sm btn-icon"
            aria-label={detailMessages.copyId}
            onClick={() => void copyToClipboard(id)}
          >
            <ActionIcon name="copy" />
          </button>
        </dd>
        <dt>{detailMessages.model}</dt>
        <dd>{definition.viewData.title}</dd>
        <Stamp
          label={detailMessages.created}
          at={record['createdAt']}
          by={about?.createdBy ?? null}
        />
        <Stamp
          label={detailMessages.changed}
          at={record['updatedAt']}
          by={about?.updatedBy ?? null}
        />
        <dt>{detailMessages.access}</dt>
        <dd>
          {accessLines(definition).map((line) => (
            <div key={line}>{line}</div>
          ))}
        </dd>
      </dl>
      <div className="side-acts">
        <button
          type="button"
          className="btn btn-quiet btn-sm"
          onClick={() => void copyToClipboard(new URL(address, location.origin).href)}
        >
          <ActionIcon name="link-45deg" /> {detailMessages.copyLink}
        </button>
        {/* History needs a sign-in, even of a public record. */}
        {definition.trash && isAuthenticated && (
          <Link
            className="btn btn-quiet btn-sm"
            to={`${path}/history${isTrashed ? '?trash=true' : ''}`}
          >
            <ActionIcon name="clock-history" /> {recordMessages.history}
          </Link>
        )}
        {isOwner && hasProductPages() && (
          <Link className="btn btn-quiet btn-sm" to={`/security-events?kind=read&record=${id}`}>
            <ActionIcon name="eye" /> {detailMessages.whoRead}
          </Link>
        )}
      </div>
    </aside>
  )
}

type StampProps = { label: string; at: unknown; by: About['createdBy'] }

function Stamp({ label, at, by }: StampProps) {
  if (typeof at !== 'string') return null
  const time = <time dateTime={at}>{formatInstant(at)}</time>
  const message = by?.isYou ? detailMessages.byYou : by?.name && detailMessages.by(by.name)
  return (
    <>
      <dt>{label}</dt>
      <dd>{message ? renderMarked(message, () => time) : time}</dd>
    </>
  )
}

/** Actions with the same rule share a line: "Edit and delete: staff". */
function accessLines(definition: Definition) {
  const actions: [Action, string][] = [
    ['get', detailMessages.view],
    ['update', recordMessages.edit],
    ['delete', detailMessages.delete],
  ]
  const byRule = Map.groupBy(actions, ([action]) =>
    definition.without?.includes(action)
      ? 'nobody'
      : readAccess(definition.authorise, action, definition.owner),
  )
  return [...byRule].map(([rule, shared]) => {
    const names = shared.map(([, word]) => word)
    return rule === 'nobody' ? detailMessages.nobody(names) : detailMessages.accessOf(names, rule)
  })
}
