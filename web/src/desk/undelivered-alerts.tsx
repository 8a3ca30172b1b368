import { Link } from 'react-router'
import { mailTexts as texts } from '#messages/mails.ts'
import { texts as siteTexts } from '#messages/texts.ts'
import type { Mail } from './mails.ts'
import { Icon } from '#ui/icon.tsx'

/** Alert mails that have not arrived: whoever reads the desk may be the first to know. */
export function UndeliveredAlerts({ alerts }: { alerts: Mail[] | null }) {
  if (!alerts) return <p className="muted">{texts.alertsUnknown}</p>
  if (alerts.length === 0) return null
  return (
    <div className="note danger undelivered" role="alert">
      <Icon name="exclamation-triangle-fill" />
      <div>
        <strong>{texts.alerts(alerts.length)}</strong>
        <ul>
          {alerts.map(({ id, kind, record, code, failedAt }) => (
            <li key={id}>
              {texts.kind(kind)},{' '}
              {record && <Link to={`/requests/${record.id}`}>{record.reference}</Link>}:{' '}
              {texts.code(code)}, {failedAt ? texts.notDelivered : texts.stillTrying}
            </li>
          ))}
        </ul>
        <p>
          {texts.alertsNext} <Link to="/system">{siteTexts.system}</Link>
        </p>
      </div>
    </div>
  )
}
