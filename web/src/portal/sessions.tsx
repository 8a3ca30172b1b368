import { useLoaderData } from 'react-router'
import { accountPages } from '#auth/config.ts'
import { formatInstant } from '#base/dates.ts'
import { getJson } from '#data/failure.ts'
import { useMutate } from '#data/use-mutate.ts'
import { confirmDialog } from '#feedback/confirm-dialog.tsx'
import { sessionMessages } from '#messages/sessions.ts'
import { BusyButton } from '#ui/busy-button.tsx'
import { Icon } from '#ui/icon.tsx'
import '#styles/portal.scss'

type Session = {
  id: string
  browser: string
  system: string
  begunAt: string
  usedAt: string
  isThis: boolean
}
type Factor = keyof typeof sessionMessages.factorNames
type Sessions = { items: Session[]; factors: Factor[] | null; canSignOut: boolean }

export const loadSessions = (signal: AbortSignal) => getJson<Sessions>('me/sessions', signal)

export function Sessions() {
  const { items, factors, canSignOut } = useLoaderData<Sessions>()
  const hasOthers = items.some(({ isThis }) => !isThis)
  return (
    <div className="wrap sessions">
      <div className="page-h">
        <h1>{sessionMessages.title}</h1>
        <p className="lead">{sessionMessages.lead}</p>
      </div>
      <section>
        <h2>{sessionMessages.devices}</h2>
        <ul>
          {items.map((session) => (
            <Device key={session.id} session={session} canSignOut={canSignOut} />
          ))}
        </ul>
        {!canSignOut && (
          <p className="note info">
            <Icon name="info-circle-fill" />
            <span>{sessionMessages.away}</span>
          </p>
        )}
        {hasOthers && canSignOut && <SignOutOthers />}
        <p className="muted">{sessionMessages.precision}</p>
      </section>
      <SecondStep factors={factors} />
    </div>
  )
}

function Device({ session, canSignOut }: { session: Session; canSignOut: boolean }) {
  const { send, pending } = useMutate()
  const { id, begunAt, usedAt, isThis } = session
  const name = nameOf(session)
  return (
    <li>
      <div>
        <h3>{name}</h3>
        <p className="muted">
          {[
            ...(isThis ? [sessionMessages.isThis] : []),
            sessionMessages.begun(formatInstant(begunAt)),
            sessionMessages.used(formatInstant(usedAt)),
          ].join(' · ')}
        </p>
      </div>
      {!isThis && canSignOut && (
        <BusyButton
          className="btn btn-secondary btn-sm"
          isBusy={pending.size > 0}
          onClick={() =>
            send({
              path: `me/sessions/${id}/sign-out`,
              done: () => sessionMessages.signedOut(name),
              failed: ({ text }) => text,
            })
          }
        >
          {sessionMessages.signOut}
          <span className="visually-hidden"> {name}</span>
        </BusyButton>
      )}
    </li>
  )
}

const nameOf = ({ browser, system }: Session) =>
  sessionMessages.device(
    browser === 'other' ? sessionMessages.other.browser : browser,
    system === 'other' ? sessionMessages.other.system : system,
  )

function SignOutOthers() {
  const { send, pending } = useMutate()
  const signOut = () =>
    send({
      path: 'me/sessions/sign-out-others',
      done: () => sessionMessages.signedOutOthers,
      failed: ({ text }) => text,
    })
  return (
    <p>
      <BusyButton
        className="btn btn-secondary"
        isBusy={pending.size > 0}
        onClick={() =>
          confirmDialog(
            { ...sessionMessages.askOthers, label: sessionMessages.signOutOthers },
            signOut,
          )
        }
      >
        {sessionMessages.signOutOthers}
      </BusyButton>
    </p>
  )
}

function SecondStep({ factors }: { factors: Factor[] | null }) {
  const ways = accountPages()
  return (
    <section>
      <h2>{sessionMessages.factors}</h2>
      <p>{factors ? sentenceOf(factors) : sessionMessages.unknownFactors}</p>
      {ways && (
        <p>
          <a href={ways}>{sessionMessages.ways}</a>
          <br />
          <span className="muted">{sessionMessages.waysHint}</span>
        </p>
      )}
    </section>
  )
}

const sentenceOf = (factors: Factor[]) =>
  factors.length === 0
    ? sessionMessages.noFactors
    : sessionMessages.hasFactors(
        factors.map((factor) => sessionMessages.factorNames[factor]).join(', '),
      )
