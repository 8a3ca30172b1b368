import { Link } from 'react-router'
import { mailMessages } from '#messages/mails.ts'
import { codeLabel, kindLabel, type Mail } from './mails.ts'
import { Icon } from '#ui/icon.tsx'
import { renderMarked } from '#ui/render-marked.tsx'

/** Undelivered alert emails: their recipients may not know of the alert. */
export function UndeliveredAlerts({ alerts }: { alerts: Mail[] | null }) {
  if (!alerts) return <p className="muted">{mailMessages.alertsUnknown}</p>
  if (alerts.length === 0) return null
  return (
    <div className="note danger desk-alert" role="alert">
      <Icon name="exclamation-triangle-fill" />
      <div>
        <strong>{mailMessages.alerts(alerts.length)}</strong>
        <ul>
          {alerts.map(({ id, kind, record, code, failedAt }) => (
            <li key={id}>
              {kindLabel(kind)},{' '}
              {record && <Link to={`/requests/${record.id}`}>{record.reference}</Link>}:{' '}
              {codeLabel(code)}, {failedAt ? mailMessages.notDelivered : mailMessages.stillTrying}
            </li>
          ))}
        </ul>
        <p>
          {renderMarked(mailMessages.alertsNext, (text) => (
            <Link to="/system">{text}</Link>
          ))}
        </p>
      </div>
    </div>
  )
}
