import { Form, Link, useNavigation, useSearchParams } from 'react-router'
import type { ReactNode } from 'react'
import { formatInstant } from '#base/dates.ts'
import { definitionAt, nameOf } from '#data/definitions.ts'
import { logMessages } from '#messages/logs.ts'
import { withFilters } from './query.ts'

export type Person = { ref: string; name: string | null; isYou: boolean }
export type RecordRef = { model: string; id: string | null; label: string | null }

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

type Head = { title: string; lead: string; other: { to: string; label: string }; act: ReactNode }

export const LogHead = ({ title, lead, other, act }: Head) => (
  <div className="page-h">
    <h1>{title}</h1>
    <p className="lead">
      {lead} {logMessages.zone(zone())} <Link to={other.to}>{other.label}</Link>
    </p>
    {act}
  </div>
)

export function Who({ person }: { person: Person }) {
  const [address] = useSearchParams()
  return (
    <Link to={withFilters(address, { person: person.isYou ? 'me' : person.ref })}>
      {toName(person)}
    </Link>
  )
}

export const toName = ({ name, isYou }: Person) =>
  isYou ? logMessages.youAre(name ?? logMessages.you) : (name ?? logMessages.former)

export function Where({ place }: { place: RecordRef }) {
  const definition = definitionAt(place.model)
  const title = definition?.viewData.title ?? place.model
  if (place.id === null) return <>{logMessages.lists(title)}</>
  const what = definition ? nameOf(definition) : place.model
  if (place.label === null || !definition)
    return (
      <>
        {what} <span className="muted">({logMessages.purged})</span>
      </>
    )
  return (
    <>
      {what} · <Link to={`/${place.model}/${place.id}`}>{place.label || place.id}</Link>
    </>
  )
}

export const When = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {formatInstant(at)}
  </time>
)

type FilterProps = { people: Person[]; record: RecordRef | null; children: ReactNode }

/** All filters are in the URL, so that a link shows the same. */
export function Filters({ people, record, children }: FilterProps) {
  const [address] = useSearchParams()
  const chosen = address.get('person') ?? ''
  const others = new Map(people.filter(({ isYou }) => !isYou).map((one) => [one.ref, toName(one)]))
  if (chosen !== '' && chosen !== 'me' && !others.has(chosen))
    others.set(chosen, logMessages.former)
  return (
    // Keyed by the query: a new URL resets the fields.
    <Form
      key={address.toString()}
      className="log-filters"
      role="search"
      aria-label={logMessages.filters}
    >
      {children}
      <label>
        <span className="form-label">{logMessages.person}</span>
        <select className="form-select" name="person" defaultValue={chosen}>
          <option value="">{logMessages.everyone}</option>
          <option value="me">{logMessages.you}</option>
          {[...others].map(([ref, name]) => (
            <option key={ref} value={ref}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Day name="from" label={logMessages.from} />
      <Day name="to" label={logMessages.to} />
      {address.get('record') && (
        <label className="only">
          <input type="checkbox" name="record" value={address.get('record') ?? ''} defaultChecked />{' '}
          {logMessages.onlyRecord(record?.label ?? logMessages.thisRecord)}
        </label>
      )}
      <span className="acts">
        <button type="submit" className="btn btn-primary">
          {logMessages.apply}
        </button>
        {address.size > 0 && (
          <Link className="btn btn-quiet" to="?">
            {logMessages.clear}
          </Link>
        )}
      </span>
    </Form>
  )
}

function Day({ name, label }: { name: 'from' | 'to'; label: string }) {
  const [address] = useSearchParams()
  const value = address.get(name) ?? ''
  return (
    <label>
      <span className="form-label">{label}</span>
      {/* A day input can't show the hour of a peak. */}
      <input
        className="form-control"
        type={value.includes('T') ? 'datetime-local' : 'date'}
        name={name}
        defaultValue={value}
      />
    </label>
  )
}

type TableProps = {
  label: string
  heads: string[]
  empty: string
  next: string | null
  isEmpty: boolean
  children: ReactNode
}

export function LogTable({ label, heads, empty, next, isEmpty, children }: TableProps) {
  const [address] = useSearchParams()
  const isBusy = useNavigation().state === 'loading'
  return (
    <section className="log" aria-busy={isBusy} aria-label={label}>
      {isEmpty ? (
        <p className="muted none">{empty}</p>
      ) : (
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      )}
      <p className="turn">
        {address.get('before') && <Link to={withFilters(address, {})}>{logMessages.newest}</Link>}
        {next && <Link to={withFilters(address, { before: next })}>{logMessages.older}</Link>}
      </p>
    </section>
  )
}
