import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import { act } from '#data/act.ts'
import { postOnce, type Failure } from '#data/client.ts'
import { BOXES, requestMessages, STATUS_ACTS } from '#messages/requests.ts'
import { draftKey } from '#base/drafts.ts'
import { showToast } from '#feedback/toasts.tsx'
import { useAttempt } from '#forms/attempt.ts'
import { forgetDraft, useDraft } from '#forms/draft.ts'
import { FailureNote } from '#forms/failure-note.tsx'
import { FieldRow, rulesOf } from '#forms/field-row.tsx'
import { useOnce } from '#forms/once.ts'
import { useSubmit } from '#forms/submit.ts'
import type { FormValues } from '#forms/inputs/values.ts'
import { offerUndo } from '#data/undo.ts'
import { revalidatePage } from '#data/revalidate.ts'
import { isClosed, type Ticket } from '#data/tickets.ts'

type Props = { ticket: Ticket; isStaff: boolean; sub: string }

/** What can be done about a request. Each act has its own box, button and draft, so that none sends another's words. */
export function RequestActs({ ticket, isStaff, sub }: Props) {
  return (
    <>
      <TextForm
        path={`tickets/${ticket.id}/reply`}
        name="body"
        kept={draftKey({ kind: 'reply', sub, about: ticket.id })}
        words={isStaff ? BOXES.staff : BOXES.client}
      >
        <StatusButton ticket={ticket} />
      </TextForm>
      {isStaff && (
        <TextForm
          path={`tickets/${ticket.id}/note`}
          name="note"
          kept={draftKey({ kind: 'note', sub, about: ticket.id })}
          words={BOXES.note}
        />
      )}
    </>
  )
}

type TextFormProps = {
  path: string
  /** Of the field: two boxes on a page have two names. */
  name: 'body' | 'note'
  kept: string
  words: (typeof BOXES)[keyof typeof BOXES]
  children?: React.ReactNode
}

function TextForm({ path, name, kept, words, children }: TextFormProps) {
  const form = useForm<FormValues>({ defaultValues: { [name]: '' } })
  useDraft(form, { key: kept })
  const { errors, isSubmitting } = form.formState
  const [failure, setFailure] = useState<Failure | null>(null)
  const revalidator = useRevalidator()
  const attempt = useAttempt()

  const onSubmit = useSubmit(
    form.handleSubmit(async (values) => {
      setFailure(null)
      const body = { body: values[name] }
      const outcome = await postOnce(path, body, attempt.keyOf(body))
      if (!(outcome instanceof Response)) {
        setFailure(outcome)
        // Signed out meanwhile: the page is no longer theirs to see, and leads to the sign-in.
        if (outcome.status === 401) await revalidator.revalidate()
        return
      }
      attempt.hasArrived()
      form.reset({ [name]: '' })
      forgetDraft(kept)
      showToast({ message: words.sent, type: 'success' })
      await revalidator.revalidate()
    }),
  )

  const field = { name, label: words.label, type: 'textarea', required: true }
  return (
    <form
      method="post"
      className={`fields answer ${name === 'note' ? 'note-form' : ''}`}
      noValidate
      onSubmit={onSubmit}
    >
      <FieldRow
        field={field}
        message={errors[name]?.message}
        register={form.register(name, rulesOf(field))}
        value={undefined}
      />
      {failure && (
        <FailureNote title={words.failed} text={failure.text} next={requestMessages.kept} />
      )}
      <div className="full submit">
        <button
          type="submit"
          className={name === 'note' ? 'btn btn-secondary' : 'btn btn-primary'}
          disabled={isSubmitting}
        >
          {isSubmitting ? words.sending : words.send}
        </button>
        {children}
      </div>
    </form>
  )
}

/** Changes the status and sends nothing else: what stands in a box stays there. */
function StatusButton({ ticket }: { ticket: Ticket }) {
  const [isBusy, setIsBusy] = useState(false)
  const revalidator = useRevalidator()
  const attempt = useAttempt()
  const name = isClosed(ticket) ? 'reopen' : 'close'
  const words = STATUS_ACTS[name]

  const toggleStatus = useOnce(async () => {
    setIsBusy(true)
    const { version } = ticket
    const path = `tickets/${ticket.id}/${name}`
    // Whoever closes a request has read it: a reply that came in since must be seen first.
    const outcome = await act({ path, version, key: attempt.keyOf({ path, version }) })
    if (outcome.kind === 'done') {
      attempt.hasArrived()
      const undoable = offerUndo(outcome.operationId, () => void revalidatePage())
      showToast({ message: words.done, type: 'success', ...undoable })
    } else if (isDoneAlready(outcome.current, name))
      showToast({ message: words.already, type: 'info' })
    else showToast({ message: `${words.failed} ${outcome.failure.text}`, type: 'danger' })
    await revalidator.revalidate()
    setIsBusy(false)
  })
  return (
    <button
      type="button"
      className="btn btn-secondary"
      disabled={isBusy}
      onClick={() => void toggleStatus()}
    >
      {words.label}
    </button>
  )
}

/** Somebody else was faster: a refusal that shows the request as it was meant to be. */
const isDoneAlready = (current: Record<string, unknown> | null, name: keyof typeof STATUS_ACTS) =>
  current !== null && isClosed(current as Ticket) === (name === 'close')
