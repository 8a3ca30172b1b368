import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { Failure } from '#data/failure.ts'
import { etagOf, mutate, type Intent } from '#data/mutate.ts'
import { useMutate } from '#data/use-mutate.ts'
import { requestMessages } from '#messages/requests.ts'
import { draftKey } from '#base/drafts.ts'
import { deleteDraft, useDraft } from '#forms/public-form-draft.ts'
import { FailureNote } from '#forms/failure-note.tsx'
import { actionFileField } from '#forms/file-field.ts'
import { fileLimits } from '#forms/inputs/file-limits.ts'
import { ariaOf, Below, FieldRow, rulesOf } from '#forms/field-row.tsx'
import type { PublicField } from '#forms/inputs/inputs.tsx'
import { useSubmit } from '#forms/use-submit.ts'
import type { FormField, FormValues } from '#forms/inputs/values.ts'
import { FileComposer } from '#files/file-composer.tsx'
import { useAttachments, type Attachments } from '#files/use-attachments.ts'
import { runAction, type RecordData } from '#data/records.ts'
import { isClosed, type Ticket } from '#data/tickets.ts'
import { BusyButton } from '#ui/busy-button.tsx'

type Props = { ticket: Ticket; isStaff: boolean; sub: string }

/** Actions of a request. Each has its own box, button and draft, so that none sends another's text. */
export function RequestActions({ ticket, isStaff, sub }: Props) {
  return (
    <>
      <TextForm
        toIntent={(input) => runAction('tickets', ticket.id, 'reply', input)}
        files={actionFileField('tickets', 'reply', 'attachments')}
        name="body"
        kept={draftKey({ kind: 'reply', sub, about: ticket.id })}
        messages={isStaff ? requestMessages.boxes.staff : requestMessages.boxes.client}
        {...(isStaff ? { help: requestMessages.recipient(ticket.email) } : {})}
      >
        <StatusButton ticket={ticket} />
      </TextForm>
      {isStaff && (
        <TextForm
          toIntent={(input) => runAction('tickets', ticket.id, 'note', input)}
          files={actionFileField('tickets', 'note', 'attachments')}
          name="note"
          kept={draftKey({ kind: 'note', sub, about: ticket.id })}
          messages={requestMessages.boxes.note}
        />
      )}
    </>
  )
}

type TextFormProps = {
  toIntent: (input: { body: string; attachments?: string[] }) => Intent
  /** Null where no files can be sent. */
  files: FormField | null
  /** Field name: a page has two boxes. */
  name: 'body' | 'note'
  kept: string
  messages: (typeof requestMessages.boxes)[keyof typeof requestMessages.boxes]
  help?: string
  children?: React.ReactNode
}

function TextForm({ toIntent, files, name, kept, messages, help, children }: TextFormProps) {
  const form = useForm<FormValues>({ defaultValues: { [name]: '' } })
  useDraft(form, { key: kept })
  const attachments = useAttachments({
    draft: kept,
    name: 'attachments',
    id: `field-${name}-attachments`,
  })
  const { errors, isSubmitting } = form.formState
  const [failure, setFailure] = useState<Failure | null>(null)
  const revalidator = useRevalidator()

  const onSubmit = useSubmit(
    form.handleSubmit(async (values) => {
      setFailure(null)
      if (!attachments.check()) return
      const outcome = await mutate({
        ...toIntent({ body: String(values[name]), ...attachments.body() }),
        done: ({ isMailed }) => (isMailed === false ? messages.unmailed : messages.sent),
      })
      if (outcome.kind === 'failed') {
        setFailure(outcome.failure)
        attachments.showErrors(outcome.failure)
        // Signed out meanwhile: the guard redirects to the sign-in.
        if (outcome.status === 401) await revalidator.revalidate()
        return
      }
      form.reset({ [name]: '' })
      attachments.clear()
      deleteDraft(kept)
      await revalidator.revalidate()
    }),
  )

  const field: PublicField = {
    name,
    label: messages.label,
    type: 'textarea',
    required: true,
    ...(help === undefined ? {} : { help }),
  }
  const text = (
    <FieldRow
      field={field}
      message={errors[name]?.message}
      register={form.register(name, rulesOf(field))}
      value={undefined}
    />
  )
  const failed = failure && (
    <FailureNote title={messages.failed} text={failure.text} next={requestMessages.kept} />
  )
  const send = (
    <button
      type="submit"
      className={name === 'note' ? 'btn btn-secondary' : 'btn btn-primary'}
      disabled={isSubmitting}
    >
      {isSubmitting ? messages.sending : messages.send}
    </button>
  )
  return (
    <form
      method="post"
      className={`fields answer ${name === 'note' ? 'note-form' : ''}`}
      noValidate
      onSubmit={onSubmit}
    >
      {files ? (
        <AttachmentComposer
          field={files}
          attachments={attachments}
          messages={messages}
          send={send}
          more={children}
        >
          {text}
          {failed}
        </AttachmentComposer>
      ) : (
        <>
          {text}
          {failed}
          <div className="full submit">
            {send}
            {children}
          </div>
        </>
      )}
    </form>
  )
}

type ComposerProps = {
  field: FormField
  attachments: Attachments
  messages: TextFormProps['messages']
  send: React.ReactNode
  more: React.ReactNode
  children: React.ReactNode
}

function AttachmentComposer({ field, attachments, messages, children, ...buttons }: ComposerProps) {
  const { id, files, problem, set } = attachments
  return (
    <FileComposer
      id={id}
      label={messages.files}
      toThis={messages.toThis}
      {...fileLimits(field)}
      aria={ariaOf(id, { message: problem, hint: undefined })}
      files={files}
      onChange={set}
      {...buttons}
    >
      {children}
      <Below id={id} message={problem} hint={undefined} />
    </FileComposer>
  )
}

/** Changes only the status: text in the boxes is kept. */
function StatusButton({ ticket }: { ticket: Ticket }) {
  const { send, pending } = useMutate()
  const name = isClosed(ticket) ? 'reopen' : 'close'
  const messages = requestMessages.acts[name]
  const changeStatus = () =>
    send({
      ...runAction('tickets', ticket.id, name),
      // If-Match: a newer reply must be read before closing.
      etag: etagOf(ticket.version),
      done: () => messages.done,
      failed: ({ text }, { current }) =>
        isAlreadyDone(current?.record, name)
          ? { message: messages.already, type: 'info' }
          : `${messages.failed} ${text}`,
      undo: {},
    })
  return (
    <BusyButton className="btn btn-secondary" isBusy={pending.size > 0} onClick={changeStatus}>
      {messages.label}
    </BusyButton>
  )
}

/** The record in the rejection already has the requested status. */
const isAlreadyDone = (current: RecordData | undefined, name: keyof typeof requestMessages.acts) =>
  current !== undefined && isClosed(current as Ticket) === (name === 'close')
