import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useAuth } from 'react-oidc-context'
import { Link, useSearchParams } from 'react-router'
import type { Failure } from '#data/failure.ts'
import { signIn, toVisitor } from '#auth/auth.ts'
import { hasProductPages } from '#auth/read-config.ts'
import { currentUser } from '#auth/session.ts'
import { contactMessages } from '#messages/contact.ts'
import { openingHours, owner, site } from '#base/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { draftKey, setSignInDraftSent } from '#base/drafts.ts'
import { showModal } from '#feedback/modals.tsx'
import {
  deleteDraft,
  resetFields,
  setSubmitPending,
  useDraft,
  isSubmitPending,
} from '#forms/public-form-draft.ts'
import { FailureNote, isUncorrected } from '#forms/failure-note.tsx'
import { FieldRow, rulesOf } from '#forms/field-row.tsx'
import type { PublicField } from '#forms/inputs/inputs.tsx'
import { useSubmit } from '#forms/use-submit.ts'
import type { FormValues } from '#forms/inputs/values.ts'
import { useAttachments } from '#files/use-attachments.ts'
import { EmergencyLine, PhoneLink } from '#ui/contact-lines.tsx'
import { Icon } from '#ui/icon.tsx'
import { renderMarked } from '#ui/render-marked.tsx'
import { ChosenService } from './chosen-service.tsx'
import { ContactFiles, FilesSignedOut } from './contact-files.tsx'
import { OrCall } from './or-call.tsx'
import { sendTicket, senderOf, type SendResult, type SentTicket } from './send-ticket.ts'
import '#styles/forms.scss'
import './contact.scss'

/** Specified minimum before the confirmation shows. */
const SENT_AFTER_MS = 1000
const EMPTY: FormValues = {
  contactType: 'Query',
  fullName: '',
  email: '',
  phone: '',
  callbackWish: '',
  subject: '',
  // Set by the link of a service's page.
  service: '',
  message: '',
}

/** Stored values. */
const TYPES = ['Query', 'Callback', 'Report'] as const
const { labels } = contactMessages
const FIELDS: PublicField[] = [
  { name: 'fullName', label: labels.fullName, type: 'text', required: true, autocomplete: 'name' },
  { name: 'email', label: labels.email, type: 'email', required: true, autocomplete: 'email' },
  { name: 'phone', label: labels.phone, type: 'tel', autocomplete: 'tel', maxLength: 40 },
  { name: 'callbackWish', label: labels.callbackWish, type: 'text', maxLength: 120 },
  { name: 'subject', label: labels.subject, type: 'text', required: true, isWide: true },
  {
    name: 'message',
    label: labels.message,
    type: 'textarea',
    required: true,
    help: contactMessages.messageHelp,
  },
]

/** Creates a ticket; the server takes the owner from the token. */
export const Contact = () => (
  <div className="wrap">
    <div className="page-h">
      <h1>{contactMessages.title}</h1>
      <Lead />
    </div>
    <div className="contact-grid">
      <ContactForm />
      <aside>
        <ul className="aside-list">
          <OtherWays />
          {TYPES.map((type) => (
            <li key={type}>
              <strong>{specifiedPageMessages.contact.types[type]}</strong>
              {contactMessages.help[type]}
            </li>
          ))}
          <li>
            <strong>{contactMessages.personalData.title}</strong>
            {renderMarked(contactMessages.personalData.text, (text) => (
              <Link to="/privacy#contact-us">{text}</Link>
            ))}
          </li>
        </ul>
      </aside>
    </div>
  </div>
)

/** For those without an account, too. */
const OtherWays = () => (
  <>
    {site.phone && (
      <li>
        <strong>{contactMessages.phone}</strong>
        <PhoneLink phone={site.phone} />
      </li>
    )}
    <li>
      <strong>{contactMessages.emailUs}</strong>
      <a href={`mailto:${owner.email}`}>{owner.email}</a>
    </li>
    {openingHours.length > 0 && (
      <li>
        <strong>{contactMessages.hours}</strong>
        {openingHours.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </li>
    )}
  </>
)

function Lead() {
  const { isLoading, user } = useAuth()
  const isSignedOut = !isLoading && !toVisitor(user)
  return (
    <p className="lead">{isSignedOut ? contactMessages.leadSignedOut : contactMessages.lead}</p>
  )
}

function ContactForm() {
  const form = useForm<FormValues>({ defaultValues: EMPTY, shouldFocusError: true })
  const { key, isSignedIn, suggested } = useContactDraft()
  const isSentElsewhere = useDraft(form, { key, suggested })
  const attachments = useAttachments({
    draft: isSignedIn ? key : null,
    name: 'attachments',
    id: 'field-attachments',
  })
  const [failure, setFailure] = useState<Failure | null>(null)
  const [sent, setSent] = useState<SendResult | null>(null)
  const { errors, isSubmitting } = form.formState
  const service = useWatch({ control: form.control, name: 'service' })

  const askToSignIn = () => showSignIn(() => setSubmitPending(key, form.getValues()))
  const onSubmit = useSubmit(
    form.handleSubmit(async (values) => {
      setFailure(null)
      setSent(null)
      if (!attachments.check()) return
      const user = await currentUser().catch(toFailure)
      if (!user) return askToSignIn()
      if ('errors' in user) return setFailure(user)
      const body = { ...withoutEmpty(values), ...attachments.body(), ...senderOf(user) }
      const [outcome] = await Promise.all([sendTicket(body), wait(SENT_AFTER_MS)])
      if (outcome === 'signed-out') return askToSignIn()
      if ('errors' in outcome) {
        for (const { field, message } of outcome.errors)
          if (field in EMPTY) form.setError(field, { message })
        // Withdrawn since, and the form has no field to correct it.
        if (outcome.errors.some(({ field }) => field === 'service')) form.setValue('service', '')
        attachments.showErrors(outcome)
        return setFailure(outcome)
      }
      // The link's subject and service belong to the message that was sent.
      resetFields(form, { ...EMPTY, ...suggested, subject: '', service: '' })
      attachments.clear()
      setSignInDraftSent(key)
      deleteDraft(key)
      setSent(outcome)
    }),
  )
  const isIdle = !failure && !sent && !isSubmitting
  const isBack = isIdle && isSignedIn && key !== null && isSubmitPending(key)
  return (
    // Without scripts, POST /contact returns a page; input never appears in a URL.
    <form
      className="fields"
      method="post"
      action="/contact"
      noValidate
      // boot.ts prefills the subject from the query before the app runs.
      data-query="subject"
      onSubmit={onSubmit}
    >
      <p className="note info full needs-scripts">
        <Icon name="info-circle-fill" />
        <span>
          {renderMarked(contactMessages.needsScripts, (text) => (
            <a href={`mailto:${owner.email}`}>{text}</a>
          ))}{' '}
          <OrCall />
        </span>
      </p>
      {sent && (
        <div className="note success full" role="alert" ref={scrollTo}>
          <Icon name="check-circle-fill" />
          <div>
            <strong>{specifiedPageMessages.contact.sent}</strong>
            {sent.ticket ? <SentNext {...sent.ticket} /> : <p>{contactMessages.sentSimulated}</p>}
          </div>
        </div>
      )}
      <fieldset className="seg full">
        <legend className="form-label">{contactMessages.type}</legend>
        <div className="opts">
          {TYPES.map((type) => (
            <label key={type}>
              <input
                type="radio"
                value={type}
                defaultChecked={type === EMPTY['contactType']}
                {...form.register('contactType')}
              />
              {specifiedPageMessages.contact.types[type]}
            </label>
          ))}
        </div>
      </fieldset>
      {site.emergency && (
        <div className="note warning full for-report">
          <Icon name="exclamation-triangle-fill" />
          <EmergencyLine />
        </div>
      )}
      <input type="hidden" {...form.register('service')} />
      {typeof service === 'string' && service !== '' && (
        <ChosenService id={service} onRemove={() => form.setValue('service', '')} />
      )}
      {FIELDS.map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          message={errors[field.name]?.message}
          register={form.register(field.name, rulesOf(field))}
          value={undefined}
        />
      ))}
      <ContactFiles attachments={attachments} isSignedIn={isSignedIn} />
      {failure && !attachments.problem && isUncorrected(failure, { fields: EMPTY, errors }) && (
        <FailureNote
          title={contactMessages.notSent}
          text={failure.text}
          next={contactMessages.kept}
        />
      )}
      {(isBack || (isIdle && isSentElsewhere)) && (
        <p className="note info full" role="status">
          <Icon name="info-circle-fill" />
          <span>{isBack ? contactMessages.back : contactMessages.sentElsewhere}</span>
        </p>
      )}
      <div className="full submit">
        <button type="submit" className="btn btn-primary" aria-disabled={isSubmitting || undefined}>
          {isSubmitting && <span className="spin" aria-hidden="true" />}
          {isSubmitting ? contactMessages.sending : contactMessages.send}
        </button>
        <span className="muted">{contactMessages.required}</span>
      </div>
      <FilesSignedOut isSignedIn={isSignedIn} />
    </form>
  )
}

/** The optional fields; the others are never empty. */
const withoutEmpty = (values: FormValues) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))

const toFailure = (error: Error): Failure => ({ text: error.message, errors: [] })

/** Send is at the other end of the form. */
const scrollTo = (note: HTMLElement | null) => note?.scrollIntoView?.({ block: 'center' })

const SentNext = ({ id, number, isEmailed }: SentTicket) => (
  <p>
    {isEmailed ? contactMessages.sentNextEmailed(number) : contactMessages.sentNext(number)}{' '}
    {hasProductPages() && <Link to={`/requests/${id}`}>{contactMessages.viewRequest}</Link>}
  </p>
)

function useContactDraft() {
  const { isLoading, user } = useAuth()
  const [query] = useSearchParams()
  const isSignedIn = toVisitor(user) !== null
  const { name, email } = (isSignedIn && user?.profile) || {}
  const subject = query.get('subject')
  const service = query.get('service')
  return {
    key: isLoading ? null : draftKey({ kind: 'contact', sub: user?.profile.sub ?? null }),
    isSignedIn,
    suggested: {
      ...(name ? { fullName: name } : {}),
      ...(email ? { email } : {}),
      ...(subject ? { subject } : {}),
      ...(service ? { service } : {}),
    },
  }
}

function showSignIn(onLeave: () => void) {
  const go = (isRegistration: boolean) => () => {
    onLeave()
    void signIn({ returnUrl: '/contact', isRegistration })
  }
  showModal({
    ...specifiedPageMessages.contact.signInNeeded,
    footer: (
      <>
        <button type="button" className="btn btn-primary" onClick={go(false)}>
          {specifiedMessages.signIn}
        </button>
        <button type="button" className="btn btn-secondary" onClick={go(true)}>
          {specifiedMessages.register}
        </button>
      </>
    ),
  })
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
