import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { formatDay } from '#base/dates.ts'
import { getJson } from '#data/client.ts'
import type { Intent } from '#data/mutate.ts'
import { useMutate } from '#data/use-mutate.ts'
import { peopleMessages } from '#messages/people.ts'
import { BusyButton } from '#ui/busy-button.tsx'
import { Tone } from '#ui/tone.tsx'
import '#styles/desk.scss'

type Level = keyof typeof peopleMessages.levels
type Person = {
  id: string
  name: string | null
  email: string | null
  level: Level
  state: keyof typeof peopleMessages.states
  lastSeenOn: string | null
  isYou: boolean
}
type ActName = keyof typeof peopleMessages.acts

export const loadPeople = (signal: AbortSignal) => getJson<{ items: Person[] }>('people', signal)

/** Staff, for owners: invite, promote, disable, sign out. */
export function People() {
  const { items } = useLoaderData<Awaited<ReturnType<typeof loadPeople>>>()
  return (
    <div className="wrap desk people">
      <div className="page-h">
        <h1>{peopleMessages.title}</h1>
        <p className="lead">{peopleMessages.lead}</p>
      </div>
      <section>
        <h2>{peopleMessages.staff}</h2>
        <ul className="members">
          {items.map((person) => (
            <Row key={person.id} person={person} />
          ))}
        </ul>
        <p className="muted">{peopleMessages.staffHint}</p>
      </section>
      <section>
        <h2>{peopleMessages.invite}</h2>
        <p className="muted">{peopleMessages.inviteLead}</p>
        <Invitation />
      </section>
    </div>
  )
}

function Row({ person }: { person: Person }) {
  const { send, pending } = useMutate()
  const { name, email, level, state, lastSeenOn, isYou } = person
  const shown = name ?? email ?? ''
  const { word, tone } = peopleMessages.states[state]
  return (
    <li>
      <div>
        <h3>{isYou ? peopleMessages.you(shown) : shown}</h3>
        <p className="muted">
          {[
            peopleMessages.levels[level],
            ...(name && email ? [email] : []),
            lastSeenOn ? peopleMessages.lastSeen(formatDay(lastSeenOn)) : peopleMessages.neverSeen,
          ].join(' · ')}
        </p>
      </div>
      <Tone tone={tone} word={word} isPlain={false} />
      <span className="acts">
        {actsOn(person).map((act) => {
          const { label, done } = peopleMessages.acts[act]
          return (
            <BusyButton
              key={act}
              className={`btn ${act === 'disable' ? 'btn-quiet' : 'btn-secondary'} btn-sm`}
              isBusy={pending.size > 0}
              onClick={() =>
                send({
                  ...toIntent(person, act),
                  done: () => done(shown),
                  failed: ({ text }) => text,
                })
              }
            >
              {label}
              <span className="visually-hidden"> {shown}</span>
            </BusyButton>
          )
        })}
      </span>
    </li>
  )
}

/** What makes sense for someone in this state. */
function actsOn({ level, state }: Person): ActName[] {
  if (state === 'gone') return ['again']
  if (state === 'invited') return ['again', 'disable']
  if (state === 'disabled') return ['enable']
  return [level === 'owner' ? 'technician' : 'owner', 'signOut', 'disable']
}

function toIntent({ id, email, level }: Person, act: ActName): Intent {
  const path = `people/${id}`
  switch (act) {
    case 'again':
      return { path: 'people', body: { email, level } }
    case 'signOut':
      return { path: `${path}/sign-out` }
    case 'disable':
    case 'enable':
      return { method: 'PUT', path, body: { enabled: act === 'enable' } }
    default:
      return { method: 'PUT', path, body: { level: act } }
  }
}

function Invitation() {
  const { send, pending } = useMutate()
  const [email, setEmail] = useState('')
  const [level, setLevel] = useState<Level>('technician')
  const isSending = pending.size > 0
  const invite = () =>
    send(
      {
        path: 'people',
        body: { email, level },
        done: () => peopleMessages.sent(email),
        failed: ({ text }) => text,
      },
      { onSettled: () => setEmail('') },
    )
  return (
    <form
      method="post"
      className="invitation"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending) invite()
      }}
    >
      <label>
        <span className="form-label">{peopleMessages.email}</span>
        <input
          className="form-control"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </label>
      <label>
        <span className="form-label">{peopleMessages.level}</span>
        <select
          className="form-select"
          value={level}
          onChange={({ target }) => setLevel(target.value === 'owner' ? 'owner' : 'technician')}
        >
          {Object.entries(peopleMessages.levels).map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="btn btn-primary" disabled={isSending}>
        {isSending ? peopleMessages.sending : peopleMessages.send}
      </button>
    </form>
  )
}
