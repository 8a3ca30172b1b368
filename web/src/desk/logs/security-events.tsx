import { SECURITY_EVENTS, type SecurityEventKind } from '@gatehouse/model'
import { useLoaderData, useSearchParams } from 'react-router'
import { formatInstant } from '#base/dates.ts'
import { getJson } from '#data/failure.ts'
import { logMessages } from '#messages/logs.ts'
import { siteMessages } from '#messages/site.ts'
import { ExportButton } from './export.tsx'
import { HourlyChart, type Hour } from './hourly-chart.tsx'
import {
  Filters,
  LogHead,
  LogTable,
  toName,
  When,
  Where,
  Who,
  type Person,
  type RecordRef,
} from './log-table.tsx'
import { toApiQuery } from './query.ts'
import '#styles/desk.scss'

type Event = {
  id: string
  at: string
  kind: SecurityEventKind
  outcome: string | null
  by: Person | null
  about: Person | null
  record: RecordRef | null
}
type Counts = {
  hours: Hour[]
  history: { at: string; revisions: number; mismatches: number } | null
}

export async function loadEvents({ url, signal }: Request) {
  const query = toApiQuery(new URL(url).searchParams)
  const kind = query.get('kind')
  const [page, counts] = await Promise.all([
    getJson<{ items: Event[]; next: string | null }>(`security-events?${query}`, signal),
    getJson<Counts>(`security-events/counts${kind ? `?kind=${kind}` : ''}`, signal),
  ])
  return { ...page, ...counts }
}

export function SecurityEvents() {
  const { items, next, hours, history } = useLoaderData<Awaited<ReturnType<typeof loadEvents>>>()
  const [address] = useSearchParams()
  const { lead, empty } = logMessages.events
  return (
    <div className="wrap desk logs">
      <LogHead
        title={siteMessages.securityEvents}
        lead={lead}
        other={{ to: '/changes', label: siteMessages.changes }}
        act={<ExportButton path="security-events" query={toApiQuery(address)} />}
      />
      <section>
        <h2>{logMessages.plot}</h2>
        <HourlyChart hours={hours} />
        {history && <Compared {...history} />}
      </section>
      <Filters people={peopleIn(items)} record={items[0]?.record ?? null}>
        <label>
          <span className="form-label">{logMessages.kind}</span>
          <select className="form-select" name="kind" defaultValue={address.get('kind') ?? ''}>
            <option value="">{logMessages.everyKind}</option>
            {Object.entries(SECURITY_EVENTS).map(([kind, { title: word }]) => (
              <option key={kind} value={kind}>
                {word}
              </option>
            ))}
          </select>
        </label>
      </Filters>
      <LogTable
        label={siteMessages.securityEvents}
        heads={[logMessages.time, logMessages.what, logMessages.who, logMessages.record]}
        empty={empty}
        next={next}
        isEmpty={items.length === 0}
      >
        {items.map((event) => (
          <Row key={event.id} event={event} />
        ))}
      </LogTable>
    </div>
  )
}

function Row({ event }: { event: Event }) {
  const { at, kind, outcome, by, about, record } = event
  const { title, ...more } = SECURITY_EVENTS[kind]
  const words: Record<string, string> = 'outcomes' in more ? more.outcomes : {}
  return (
    <tr>
      <td>
        <When at={at} />
      </td>
      <td>
        <b>{title}</b>
        {outcome && <span className="muted"> · {words[outcome] ?? outcome}</span>}
      </td>
      <td>
        {by && <Who person={by} />}
        {about && (
          <span className="muted">
            {by ? ` · ${logMessages.about(toName(about))}` : toName(about)}
          </span>
        )}
      </td>
      <td>{record && <Where place={record} />}</td>
    </tr>
  )
}

function Compared({ at, revisions, mismatches }: NonNullable<Counts['history']>) {
  const when = formatInstant(at)
  return mismatches === 0 ? (
    <p className="muted">{logMessages.compared(when, revisions)}</p>
  ) : (
    <p className="rise">{logMessages.mismatched(when, mismatches)}</p>
  )
}

const peopleIn = (items: Event[]) => [
  ...new Map(
    items.flatMap(({ by, about }) =>
      [by, about].flatMap((one) => (one ? [[one.ref, one] as const] : [])),
    ),
  ).values(),
]
