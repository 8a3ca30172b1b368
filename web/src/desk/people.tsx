import { useLoaderData } from 'react-router'
import { getJson } from '#data/failure.ts'
import { peopleMessages } from '#messages/people.ts'
import { Invitation } from './invitation.tsx'
import { PersonRow, type Person } from './person-row.tsx'
import '#styles/desk.scss'

export const loadPeople = (signal: AbortSignal) => getJson<{ items: Person[] }>('people', signal)

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
            <PersonRow key={person.id} person={person} />
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
