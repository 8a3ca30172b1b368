import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { useMutate } from '#data/use-mutate.ts'
import { confirmDialog } from '#feedback/confirm-dialog.tsx'
import { showToast } from '#feedback/toasts.tsx'
import { peopleMessages } from '#messages/people.ts'

type Level = keyof typeof peopleMessages.levels

/** The API's error code. */
const HAS_ACCOUNT = 'has-account'

export function Invitation() {
  const { send, pending } = useMutate()
  const { revalidate } = useRevalidator()
  const [email, setEmail] = useState('')
  const [level, setLevel] = useState<Level>('technician')
  const isSending = pending.size > 0

  const invite = (existing = false) =>
    send(
      {
        path: 'people',
        body: { email, level, ...(existing ? { existing } : {}) },
        done: () => (existing ? peopleMessages.adopted(email) : peopleMessages.sent(email)),
      },
      {
        onSaved: () => {
          setEmail('')
          return revalidate()
        },
        onFailed: ({ failure: { code, text } }) => {
          if (code === HAS_ACCOUNT)
            confirmDialog(
              {
                title: peopleMessages.adopt.title,
                body: text,
                label: peopleMessages.adopt.label,
              },
              () => invite(true),
            )
          else showToast({ message: text, type: 'danger' })
        },
      },
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
