import { Link, useLoaderData, useRevalidator } from 'react-router'
import { formatInstant, spanOf } from '#base/dates.ts'
import { formatCount } from '#base/format.ts'
import { deskMessages } from '#messages/desk.ts'
import { requestMessages } from '#messages/requests.ts'
import { AGES } from './counters.ts'
import { InfectedFilesAlert } from './infected-files.tsx'
import { type AccessRequest, type Incident, type loadDesk, type Total } from './load-desk.ts'
import { etagOf } from '#data/mutate.ts'
import { runAction } from '#data/records.ts'
import { useMutate } from '#data/use-mutate.ts'
import type { Ticket } from '#data/tickets.ts'
import { BusyButton } from '#ui/busy-button.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { UndeliveredAlerts } from './undelivered-alerts.tsx'
import '#styles/desk.scss'

export function Desk() {
  const desk = useLoaderData<Awaited<ReturnType<typeof loadDesk>>>()
  const { revalidate } = useRevalidator()
  return (
    <div className="wrap desk">
      <div className="page-h">
        <h1>{deskMessages.title}</h1>
        <p className="lead">{deskMessages.lead}</p>
      </div>
      <UndeliveredAlerts alerts={desk.alerts} />
      <InfectedFilesAlert files={desk.infected} />
      {(desk.hasUncounted || Object.values(desk).flat().includes(null)) && (
        <LoadFailed what={deskMessages.everything} onRetry={() => void revalidate()} />
      )}
      <h2 className="visually-hidden">{deskMessages.numbers}</h2>
      <ul className="numbers">
        {desk.counted.map(({ label, address, kind, total }) => (
          <li key={label} className={isSome(total) ? kind : undefined}>
            <Link to={`/${address}`}>
              <b className="num">{toText(total)}</b>
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className="pair">
        <section>
          <h2>{deskMessages.next}</h2>
          <Waiting tickets={desk.waiting} now={desk.now} />
        </section>
        <section>
          <h2>{deskMessages.age}</h2>
          <Ages totals={desk.ages} />
          <h2>{deskMessages.callbacks}</h2>
          <Callbacks tickets={desk.callbacks} />
          <h2>{deskMessages.incidents}</h2>
          <Incidents incidents={desk.incidents} now={desk.now} />
          <h2>{deskMessages.links}</h2>
          <Links accounts={desk.accounts} />
        </section>
      </div>
    </div>
  )
}

const isSome = (total: Total | undefined) => (total?.count ?? 0) > 0

function toText(total: Total | undefined) {
  if (!total) return '–'
  return formatCount(total.count, total.exact)
}

function Waiting({ tickets, now }: { tickets: Ticket[] | null; now: number }) {
  if (!tickets) return <p className="muted">{deskMessages.failed}</p>
  if (tickets.length === 0) return <p className="muted">{deskMessages.nextEmpty}</p>
  return (
    <ol className="queue">
      {tickets.map(({ id, number, subject, contactType, dueAt }) => (
        <li key={id}>
          <Link to={`/requests/${id}`}>{subject}</Link>
          <span className="muted">
            <span className="mono">{requestMessages.reference(number)}</span> · {contactType}
          </span>
          {dueAt && <Due at={dueAt} now={now} />}
        </li>
      ))}
    </ol>
  )
}

function Due({ at, now }: { at: string; now: number }) {
  const isLate = Date.parse(at) < now
  const { count, unit } = spanOf(at, now)
  return (
    <time className={isLate ? 'late-due' : 'muted'} dateTime={at} title={formatInstant(at)}>
      {isLate ? deskMessages.overdueBy(count, unit) : deskMessages.dueIn(count, unit)}
    </time>
  )
}

function Ages({ totals }: { totals: Total[] }) {
  const most = Math.max(1, ...totals.map((total) => total?.count ?? 0))
  return (
    <ul className="ages">
      {AGES.map(({ label, address }, index) => (
        <li key={label}>
          <span>{label}</span>
          <svg className="meter" aria-hidden="true">
            <rect width={`${(100 * (totals[index]?.count ?? 0)) / most}%`} height="100%" />
          </svg>
          <Link className="num" to={`/${address}`}>
            {toText(totals[index])}
            <span className="visually-hidden"> {label}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Callbacks({ tickets }: { tickets: Ticket[] | null }) {
  if (!tickets) return <p className="muted">{deskMessages.failed}</p>
  if (tickets.length === 0) return <p className="muted">{deskMessages.callbacksEmpty}</p>
  return (
    <ul className="queue">
      {tickets.map(({ id, subject, fullName, callbackAt }) => (
        <li key={id}>
          <Link to={`/requests/${id}`}>{subject}</Link>
          <span className="muted">{fullName}</span>
          {callbackAt && <time dateTime={callbackAt}>{formatInstant(callbackAt)}</time>}
        </li>
      ))}
    </ul>
  )
}

function Incidents({ incidents, now }: { incidents: Incident[] | null; now: number }) {
  if (!incidents) return <p className="muted">{deskMessages.failed}</p>
  if (incidents.length === 0) return <p className="muted">{deskMessages.incidentsEmpty}</p>
  return (
    <ul className="queue">
      {incidents.map(({ id, title, severity, notifyBy }) => (
        <li key={id}>
          <Link to={`/incidents/${id}`}>{title}</Link>
          <span className="muted">{severity}</span>
          {notifyBy && (
            <span>
              {deskMessages.clock}: <Due at={notifyBy} now={now} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function Links({ accounts }: { accounts: AccessRequest[] | null }) {
  const { send, pending } = useMutate()
  const decide = (account: AccessRequest, decision: Decision) => {
    const name = nameOf(account)
    const messages = deskMessages.decisions[decision]
    send({
      ...toActionIntent(account, decision),
      etag: etagOf(account.version),
      done: () => messages.done(name),
      failed: ({ text }) => `${messages.failed(name)} ${text}`,
      undo: {},
    })
  }
  if (!accounts) return <p className="muted">{deskMessages.failed}</p>
  if (accounts.length === 0) return <p className="muted">{deskMessages.linksEmpty}</p>
  return (
    <ul className="queue">
      {accounts.map((account) => (
        <li key={account.id}>
          <Link to={`/accounts/${account.id}`}>{account.name ?? account.email}</Link>
          <span className="muted">{account.email}</span>
          <span className="acts">
            {DECIDING.map(({ decision, look }) => (
              <BusyButton
                key={decision}
                className={`btn ${look} btn-sm`}
                isBusy={pending.has(toActionIntent(account, decision).path)}
                onClick={() => decide(account, decision)}
              >
                {deskMessages.decisions[decision].label}
                <span className="visually-hidden"> {deskMessages.accessFor(nameOf(account))}</span>
              </BusyButton>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}

type Decision = keyof typeof deskMessages.decisions

const DECIDING: { decision: Decision; look: string }[] = [
  { decision: 'approve', look: 'btn-secondary' },
  { decision: 'refuse', look: 'btn-quiet' },
]

const nameOf = ({ name, email }: AccessRequest) => name ?? email ?? ''
const toActionIntent = ({ id }: AccessRequest, decision: Decision) =>
  runAction('accounts', id, decision)
