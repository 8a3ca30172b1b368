import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useAuth } from 'react-oidc-context'
import { Link, useLoaderData, useRevalidator } from 'react-router'
import { STORAGE } from '@gatehouse/model'
import { postOnce, type Failure } from '#api.ts'
import { toVisitor } from '#auth.ts'
import { formatInstant } from '#content/dates.ts'
import { EXPECTED, requestTexts as texts } from '#content/requests.ts'
import { showToast } from '#feedback/toasts.tsx'
import { useAttempt } from '#forms/attempt.ts'
import { forgetDraft, useDraft } from '#forms/draft.ts'
import { FailureNote } from '#forms/failure-note.tsx'
import { FieldRow, rulesOf } from '#forms/field-row.tsx'
import type { FormValues } from '#forms/values.ts'
import type { loadRequest, Message, Step, Ticket } from '#tickets.ts'
import { StatusBadge } from './status-badge.tsx'
import '#styles/desk.scss'

/** One request, for its client and for staff: what happened, and the next answer. */
export function Request() {
  const { ticket, messages, history } = useLoaderData<Awaited<ReturnType<typeof loadRequest>>>()
  const isStaff = toVisitor(useAuth().user)?.role === 'admin'
  const expected = EXPECTED[ticket.status]
  return (
    <div className="wrap">
      <div className="page-h">
        <p className="mono muted">{texts.reference(ticket.number)}</p>
        <h1>{ticket.subject}</h1>
        <p className="turn-line">
          <StatusBadge status={ticket.status} /> {isStaff ? expected?.staff : expected?.client}
        </p>
      </div>
      <div className="contact-grid">
        <div>
          <h2 className="visually-hidden">{texts.timeline}</h2>
          <ol className="timeline">
            {toTimeline(ticket, messages, history).map((entry) => (
              <Entry key={entry.id} {...entry} />
            ))}
          </ol>
          <AnswerForm key={ticket.id} ticket={ticket} isStaff={isStaff} />
        </div>
        <aside>
          <Facts ticket={ticket} isStaff={isStaff} />
        </aside>
      </div>
    </div>
  )
}

const Facts = ({ ticket, isStaff }: { ticket: Ticket; isStaff: boolean }) => (
  <ul className="aside-list">
    <li>
      <strong>{texts.opened}</strong>
      {formatInstant(ticket.openedAt)}
    </li>
    <li>
      <strong>{texts.type}</strong>
      {ticket.contactType}
    </li>
    {ticket.dueAt && (
      <li>
        <strong>{texts.due}</strong>
        {formatInstant(ticket.dueAt)}
      </li>
    )}
    {ticket.callbackAt && (
      <li>
        <strong>{texts.callback}</strong>
        {formatInstant(ticket.callbackAt)}
      </li>
    )}
    {isStaff && (
      <li>
        <Link to={`/tickets/${ticket.id}`}>{texts.record}</Link>
      </li>
    )}
  </ul>
)

type TimelineEntry = {
  id: string
  at: string
  who: string
  text: string
  kind: 'message' | 'staff' | 'internal' | 'status'
}

/** Times, status changes and answers in one line of time. */
function toTimeline(ticket: Ticket, messages: Message[], history: Step[]): TimelineEntry[] {
  const opening: TimelineEntry = {
    id: ticket.id,
    at: ticket.openedAt,
    who: ticket.fullName,
    text: ticket.message,
    kind: 'message',
  }
  const answers = messages.map(
    ({ id, createdAt, fromStaff, authorName, body, internal }): TimelineEntry => ({
      id,
      at: createdAt,
      who: fromStaff ? texts.us : (authorName ?? texts.you),
      text: body,
      kind: internal ? 'internal' : fromStaff ? 'staff' : 'message',
    }),
  )
  const changes = history.flatMap(({ version, at, changes: changed }): TimelineEntry[] => {
    const status = version > 1 ? changed.find(({ field }) => field === 'status') : undefined
    return status
      ? [
          {
            id: `status-${version}`,
            at,
            who: '',
            text: texts.statusChanged(String(status.after)),
            kind: 'status',
          },
        ]
      : []
  })
  return [opening, ...answers, ...changes].sort((a, b) => a.at.localeCompare(b.at))
}

const Entry = ({ at, who, text, kind }: TimelineEntry) => (
  <li className={kind}>
    <p className="meta">
      {who && <strong>{who}</strong>}
      {kind === 'internal' && <span className="sample">{texts.internal}</span>}
      <time className="muted" dateTime={at}>
        {formatInstant(at)}
      </time>
    </p>
    <p className="body">{text}</p>
  </li>
)

const OVER = ['Resolved', 'Closed']

function AnswerForm({ ticket, isStaff }: { ticket: Ticket; isStaff: boolean }) {
  const draftKey = STORAGE.answerDraft.key.replace('*', ticket.id)
  const form = useForm<FormValues>({ defaultValues: { body: '', internal: false } })
  useDraft(form, { key: draftKey, subject: null })
  const { errors, isSubmitting } = form.formState
  const [failure, setFailure] = useState<Failure | null>(null)
  const revalidator = useRevalidator()
  const attempt = useAttempt()
  const isOver = OVER.includes(ticket.status)

  const post = async (body: Record<string, unknown>) => {
    setFailure(null)
    const outcome = await postOnce('messages', { ticket: ticket.id, ...body }, attempt.keyOf(body))
    if (!(outcome instanceof Response)) return setFailure(outcome)
    attempt.hasArrived()
    form.reset({ body: '', internal: false })
    forgetDraft(draftKey)
    showToast({ message: texts.sent, type: 'success' })
    await revalidator.revalidate()
  }
  const answer = form.handleSubmit(({ body, internal }) =>
    post({ body, ...(isStaff ? { internal: internal === true } : {}) }),
  )
  const toggleStatus = async () => {
    setFailure(null)
    const path = `tickets/${ticket.id}/${isOver ? 'reopen' : 'close'}`
    const outcome = await postOnce(path, {}, attempt.keyOf({ path }))
    if (!(outcome instanceof Response)) return setFailure(outcome)
    attempt.hasArrived()
    await revalidator.revalidate()
  }

  const field = {
    name: 'body',
    label: isStaff ? texts.staffAnswer : texts.answer,
    type: 'textarea',
    required: true,
  }
  return (
    <form
      method="post"
      className="fields answer"
      noValidate
      onSubmit={(event) => void answer(event)}
    >
      <FieldRow
        field={field}
        message={errors['body']?.message}
        register={form.register('body', rulesOf(field))}
        value={undefined}
      />
      {isStaff && (
        <label className="form-check full">
          <input className="form-check-input" type="checkbox" {...form.register('internal')} />
          {texts.isInternal}
        </label>
      )}
      {failure && <FailureNote title={texts.notSent} text={failure.text} next={texts.kept} />}
      <div className="full submit">
        <button type="submit" className="btn btn-primary" disabled={isSubmitting}>
          {isSubmitting ? texts.sending : texts.send}
        </button>
        <button
          type="button"
          className="btn btn-secondary"
          disabled={isSubmitting}
          onClick={() => void toggleStatus()}
        >
          {isOver ? texts.reopen : texts.close}
        </button>
      </div>
    </form>
  )
}
