import { formatDay } from '#base/dates.ts'
import type { Intent } from '#data/mutate.ts'
import { useMutate } from '#data/use-mutate.ts'
import { confirmDialog } from '#feedback/confirm-dialog.tsx'
import { peopleMessages } from '#messages/people.ts'
import { BusyButton } from '#ui/busy-button.tsx'
import { Tone } from '#ui/tone.tsx'

export type Person = {
  id: string
  name: string | null
  email: string | null
  level: keyof typeof peopleMessages.levels
  state: keyof typeof peopleMessages.states
  lastSeenOn: string | null
  isYou: boolean
}
type ActName = keyof typeof peopleMessages.acts

/** Actions that remove access; shown as inconspicuous buttons. */
const REMOVING_ACTIONS: ActName[] = ['factors', 'remove', 'disable']
const DANGEROUS_ACTIONS: ActName[] = ['technician', ...REMOVING_ACTIONS]

export function PersonRow({ person }: { person: Person }) {
  const { send, pending } = useMutate()
  const { name, email, level, state, lastSeenOn, isYou } = person
  const shown = name ?? email ?? ''
  const { word, tone } = peopleMessages.states[state]

  function start(act: ActName) {
    const { label, done, question } = peopleMessages.acts[act]
    const run = () =>
      send({ ...toIntent(person, act), done: () => done(shown), failed: ({ text }) => text })
    if (!question) return run()
    const { title, body, ofYou = body } = question
    return confirmDialog(
      {
        title: isYou ? peopleMessages.ofYou(title(shown)) : title(shown),
        body: isYou ? ofYou : body,
        label,
        isDanger: DANGEROUS_ACTIONS.includes(act),
      },
      run,
    )
  }
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
        {actionsFor(person).map((act) => (
          <BusyButton
            key={act}
            className={`btn ${REMOVING_ACTIONS.includes(act) ? 'btn-quiet' : 'btn-secondary'} btn-sm`}
            isBusy={pending.size > 0}
            onClick={() => start(act)}
          >
            {peopleMessages.acts[act].label}
            <span className="visually-hidden"> {shown}</span>
          </BusyButton>
        ))}
      </span>
    </li>
  )
}

function actionsFor({ level, state }: Person): ActName[] {
  if (state === 'gone') return ['again', 'remove']
  if (state === 'invited') return ['again', 'remove', 'disable']
  if (state === 'disabled') return ['enable', 'remove']
  return [level === 'owner' ? 'technician' : 'owner', 'signOut', 'factors', 'remove', 'disable']
}

function toIntent({ id, email, level }: Person, act: ActName): Intent {
  const path = `people/${id}`
  switch (act) {
    case 'again':
      return { path: 'people', body: { email, level } }
    case 'signOut':
      return { path: `${path}/sign-out` }
    case 'factors':
      return { path: `accounts/${id}/forgetfactors` }
    case 'disable':
    case 'enable':
      return { method: 'PUT', path, body: { enabled: act === 'enable' } }
    default:
      return { method: 'PUT', path, body: { level: act === 'remove' ? 'none' : act } }
  }
}
