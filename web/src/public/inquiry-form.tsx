import { INQUIRY_SUBJECTS } from '@gatehouse/model'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useAuth } from 'react-oidc-context'
import type { Failure } from '#data/failure.ts'
import { mutate, type Saved } from '#data/mutate.ts'
import { privacyMessages } from '#messages/privacy.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { toVisitor } from '#auth/auth.ts'
import { draftKey } from '#base/drafts.ts'
import { deleteDraft, resetFields, useDraft } from '#forms/public-form-draft.ts'
import { FailureNote, isUncorrected } from '#forms/failure-note.tsx'
import { FieldRow, rulesOf } from '#forms/field-row.tsx'
import type { PublicField } from '#forms/inputs/inputs.tsx'
import { useSubmit } from '#forms/use-submit.ts'
import type { FormValues } from '#forms/inputs/values.ts'
import { Icon } from '#ui/icon.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'
import { receivedMessage, type Received } from './request-received.tsx'
import '#styles/forms.scss'
import './inquiry-form.scss'

const { labels, subjects } = privacyMessages

const FIELDS: PublicField[] = [
  { name: 'name', label: labels.name, type: 'text', required: true, autocomplete: 'name' },
  { name: 'email', label: labels.email, type: 'email', required: true, autocomplete: 'email' },
  {
    name: 'subject',
    label: labels.subject,
    type: 'select',
    required: true,
    isWide: true,
    options: INQUIRY_SUBJECTS.map((value) => ({ value, label: subjects[value] })),
  },
  { name: 'message', label: labels.message, type: 'textarea', required: true },
]

const EMPTY: FormValues = {
  name: '',
  email: '',
  subject: '',
  message: '',
  confirmed: false,
  website: '',
}

/** The API's rejection of a native form post. */
export type Refusal = {
  values: Record<string, string>
  errors: { field: string; message: string }[]
  text: string
}

/** A GDPR request: works without an account and without scripts. */
export function InquiryForm({ refusal }: { refusal?: Refusal }) {
  const form = useForm<FormValues>({ defaultValues: EMPTY })
  const { key, suggested } = useInquiryDraft()
  useDraft(form, { key, suggested })
  const [failure, setFailure] = useState<Failure | null>(null)
  const [received, setReceived] = useState<Received | null>(null)
  const { errors, isSubmitting } = form.formState

  const onSubmit = useSubmit(
    form.handleSubmit(async (values) => {
      setFailure(null)
      setReceived(null)
      const outcome = await mutate({
        path: 'privacy/requests',
        body: values,
        done: (saved) => privacyMessages.received(toReceived(saved).reference),
      })
      if (outcome.kind === 'saved') {
        resetFields(form, { ...EMPTY, ...suggested })
        deleteDraft(key)
        setReceived(toReceived(outcome))
      }
      if (outcome.kind === 'failed') {
        for (const { field, message } of outcome.failure.errors)
          if (field in EMPTY) form.setError(field, { message })
        setFailure(outcome.failure)
      }
    }),
  )

  const messageOf = (name: string) => errors[name]?.message ?? errorOf(refusal, name)
  const confirmError = messageOf('confirmed') && privacyMessages.confirmMissing
  return (
    <section className="inquiry panel" aria-labelledby="inquiry-title" id="inquiry">
      <h2 id="inquiry-title">{specifiedPageMessages.privacy.form}</h2>
      <p className="second">{privacyMessages.formLead}</p>
      <form
        className="fields"
        method="post"
        action="/api/privacy/requests"
        noValidate
        onSubmit={onSubmit}
      >
        {FIELDS.map((field) => (
          <FieldRow
            key={field.name}
            field={field}
            message={messageOf(field.name)}
            register={{
              ...form.register(field.name, rulesOf(field)),
              ...asSent(refusal, field.name),
            }}
            value={undefined}
          />
        ))}
        <div className="full">
          <div className="form-check">
            <input
              className={`form-check-input${confirmError ? ' is-invalid' : ''}`}
              type="checkbox"
              id="field-confirmed"
              {...(confirmError
                ? { 'aria-invalid': true, 'aria-describedby': 'field-confirmed-error' }
                : {})}
              {...form.register('confirmed', { required: privacyMessages.confirmMissing })}
              {...asSent(refusal, 'confirmed')}
            />
            <label className="form-check-label" htmlFor="field-confirmed">
              {specifiedPageMessages.privacy.confirm}
            </label>
          </div>
          {confirmError && (
            <div className="invalid-feedback" id="field-confirmed-error">
              <RecordIcon name="exclamation-circle-fill" />
              {confirmError}
            </div>
          )}
        </div>
        <div className="honeypot" aria-hidden="true">
          <label htmlFor="field-website">{privacyMessages.honeypot}</label>
          <input
            type="text"
            id="field-website"
            tabIndex={-1}
            autoComplete="off"
            {...form.register('website')}
          />
        </div>
        {failure && isUncorrected(failure, { fields: EMPTY, errors }) && (
          <FailureNote
            title={privacyMessages.notSent}
            text={failure.text}
            next={privacyMessages.kept}
          />
        )}
        {received && (
          <div className="note success full">
            <Icon name="check-circle-fill" />
            <p>{receivedMessage(received)}</p>
          </div>
        )}
        <div className="full">
          <button
            type="submit"
            className="btn btn-primary"
            aria-disabled={isSubmitting || undefined}
          >
            {isSubmitting && <span className="spin" aria-hidden="true" />}
            {isSubmitting ? privacyMessages.sending : privacyMessages.send}
          </button>
        </div>
      </form>
    </section>
  )
}

const errorOf = (refusal: Refusal | undefined, name: string) =>
  refusal?.errors.find(({ field }) => field === name)?.message

/** Field props after a rejected native post: the sent value, and the focus on the first error. */
function asSent(refusal: Refusal | undefined, name: string) {
  if (!refusal) return {}
  const first = Object.keys(EMPTY).find((one) => errorOf(refusal, one))
  const value = refusal.values[name]
  return {
    autoFocus: name === first,
    ...(name === 'confirmed' ? { defaultChecked: value === 'on' } : { defaultValue: value }),
  }
}

const toReceived = ({ record, isConfirmed }: Saved): Received => ({
  reference: String(record['reference']),
  dueOn: String(record['dueOn']),
  isEmailed: isConfirmed,
})

function useInquiryDraft() {
  const { isLoading, user } = useAuth()
  const { name, email } = (toVisitor(user) && user?.profile) || {}
  return {
    key: isLoading ? null : draftKey({ kind: 'inquiry', sub: user?.profile.sub ?? null }),
    suggested: { ...(name ? { name } : {}), ...(email ? { email } : {}) },
  }
}
