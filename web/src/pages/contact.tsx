import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useAuth } from 'react-oidc-context'
import { Link, useSearchParams } from 'react-router'
import { postOnce, type Failure } from '#api.ts'
import { currentUser, signIn } from '#auth.ts'
import { CONTACT_FIELDS, CONTACT_TYPES, contactTexts, personalData } from '#content/contact.ts'
import { contact, owner } from '#content/site.ts'
import { texts } from '#content/texts.ts'
import { draftKey } from '#drafts.ts'
import { showModal } from '#feedback/modals.tsx'
import { useAttempt } from '#forms/attempt.ts'
import { forgetDraft, useDraft } from '#forms/draft.ts'
import { FailureNote } from '#forms/failure-note.tsx'
import { FieldRow, rulesOf } from '#forms/field-row.tsx'
import { useSubmit } from '#forms/submit.ts'
import type { FormValues } from '#forms/values.ts'
import { Icon } from '#ui/icon.tsx'

/** As specified: the confirmation does not come before this. */
const SENT_AFTER_MS = 1000
const EMPTY: FormValues = {
  contactType: 'Query',
  fullName: '',
  email: '',
  subject: '',
  message: '',
}

/** The enquiry. It becomes a ticket; who sent it the server reads from the token. */
export const Contact = () => (
  <div className="wrap">
    <div className="page-h">
      <h1>{contactTexts.title}</h1>
      <p className="lead">{contactTexts.lead}</p>
    </div>
    <div className="contact-grid">
      <ContactForm />
      <aside>
        <ul className="aside-list">
          {CONTACT_TYPES.map(({ value, label, help }) => (
            <li key={value}>
              <strong>{label}</strong>
              {help}
            </li>
          ))}
          <li>
            <strong>{personalData.title}</strong>
            {personalData.before}
            <Link to="/privacy#contact-us">{personalData.link}</Link>
            {personalData.after}
          </li>
        </ul>
      </aside>
    </div>
  </div>
)

function ContactForm() {
  const [query] = useSearchParams()
  const form = useForm<FormValues>({ defaultValues: EMPTY, shouldFocusError: true })
  const key = useContactKey()
  useDraft(form, { key, subject: query.get('subject') })
  const [failure, setFailure] = useState<Failure | null>(null)
  const [sent, setSent] = useState<Sent | null>(null)
  const { errors, isSubmitting } = form.formState
  const attempt = useAttempt()

  const onSubmit = useSubmit(
    form.handleSubmit(async (values) => {
      setFailure(null)
      setSent(null)
      if (!(await currentUser())) return askToSignIn()
      const [outcome] = await Promise.all([
        deliver(values, attempt.keyOf(values)),
        wait(SENT_AFTER_MS),
      ])
      if (outcome === 'signed-out') return askToSignIn()
      if ('errors' in outcome) {
        for (const { field, message } of outcome.errors)
          if (field in EMPTY) form.setError(field, { message })
        return setFailure(outcome)
      }
      attempt.hasArrived()
      form.reset(EMPTY)
      forgetDraft(key)
      setSent(outcome)
    }),
  )
  return (
    // POST /contact answers with this page: what is typed never stands in an address.
    <form className="fields" method="post" action="/contact" noValidate onSubmit={onSubmit}>
      <p className="note info full needs-scripts">
        <Icon name="info-circle-fill" />
        <span>
          {contactTexts.needsScripts} <a href={`mailto:${owner.email}`}>{owner.email}</a>
        </span>
      </p>
      <fieldset className="seg full">
        <legend className="form-label">{contactTexts.type}</legend>
        <div className="opts">
          {CONTACT_TYPES.map(({ value, label }) => (
            <label key={value}>
              <input type="radio" value={value} {...form.register('contactType')} />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      {CONTACT_FIELDS.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          message={errors[field.name]?.message}
          register={form.register(field.name, rulesOf(field))}
          value={undefined}
        />
      ))}
      {failure && (
        <FailureNote title={contactTexts.notSent} text={failure.text} next={contactTexts.kept} />
      )}
      {sent && (
        <div className="note success full" role="alert">
          <Icon name="check-circle-fill" />
          <div>
            <strong>{contactTexts.sent}</strong>
            {sent.number !== null && <p>{contactTexts.sentNext(sent.number)}</p>}
          </div>
        </div>
      )}
      <div className="full submit">
        <button type="submit" className="btn btn-primary" disabled={isSubmitting}>
          {isSubmitting && <span className="spin" aria-hidden="true" />}
          {isSubmitting ? contactTexts.sending : contactTexts.send}
        </button>
        <span className="muted">{contactTexts.allRequired}</span>
      </div>
    </form>
  )
}

function useContactKey() {
  const { isLoading, user } = useAuth()
  return isLoading ? null : draftKey({ kind: 'contact', sub: user?.profile.sub ?? null })
}

/** The number of the ticket it became; none where nothing is sent. */
type Sent = { number: number | null }

/** What became of it: stored, refused, or in need of a sign-in. */
async function deliver(values: FormValues, key: string): Promise<Sent | Failure | 'signed-out'> {
  if (contact.delivery === 'simulated') return { number: null }
  const outcome = await postOnce('tickets', values, key)
  if (!(outcome instanceof Response)) return outcome.status === 401 ? 'signed-out' : outcome
  const { number } = (await outcome.json()) as { number: number }
  return { number }
}

function askToSignIn() {
  const go = (isRegistration: boolean) => () =>
    void signIn({ returnUrl: '/contact', isRegistration })
  showModal({
    ...contactTexts.signInNeeded,
    footer: (
      <>
        <button type="button" className="btn btn-secondary" onClick={go(true)}>
          {texts.register}
        </button>
        <button type="button" className="btn btn-primary" onClick={go(false)}>
          {texts.signIn}
        </button>
      </>
    ),
  })
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
