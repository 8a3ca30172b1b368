import { Link } from 'react-router'
import { formatInstant } from '#base/dates.ts'
import { formatNumber } from '#base/format.ts'
import { logMessages } from '#messages/logs.ts'

export type Hour = { hour: string; count: number; isRise: boolean }

const HEIGHT = 48
const HOUR_MS = 3_600_000

/** Events per hour: a chart without text, a sentence about peaks, and the same data as a table. */
export function HourlyChart({ hours }: { hours: Hour[] }) {
  const most = Math.max(1, ...hours.map(({ count }) => count))
  const total = hours.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return <p className="muted">{logMessages.plotEmpty}</p>
  return (
    <figure className="hours">
      <svg
        viewBox={`0 0 ${hours.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={logMessages.plotName(total, most)}
      >
        {hours.map(({ hour, count, isRise }, place) => {
          const height = (HEIGHT * count) / most
          return (
            <rect
              key={hour}
              className={isRise ? 'rise' : undefined}
              x={place}
              y={HEIGHT - height}
              width={0.8}
              height={height}
            />
          )
        })}
      </svg>
      <figcaption>
        {logMessages.plotName(total, most)}
        {hours
          .filter(({ isRise }) => isRise)
          .map(({ hour, count }) => (
            <p key={hour} className="rise">
              {logMessages.rise(formatInstant(hour), count)}{' '}
              <Link to={`?from=${toLocal(hour)}&to=${toLocal(hour, HOUR_MS)}`}>
                {logMessages.showRise}
              </Link>
            </p>
          ))}
      </figcaption>
      <details>
        <summary>{logMessages.table}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{logMessages.hour}</th>
              <th scope="col">{logMessages.count}</th>
            </tr>
          </thead>
          <tbody>
            {hours
              .filter(({ count }) => count > 0)
              .map(({ hour, count }) => (
                <tr key={hour}>
                  <td>{formatInstant(hour)}</td>
                  <td className="num">{formatNumber(count)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

/** Value of a datetime-local input: local time without zone. */
function toLocal(text: string, later = 0) {
  const at = new Date(Date.parse(text) + later)
  const offset = at.getTimezoneOffset() * 60_000
  return new Date(at.getTime() - offset).toISOString().slice(0, '2026-01-01T00:00'.length)
}
