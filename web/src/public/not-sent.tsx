import { useLoaderData } from 'react-router'
import { contactMessages } from '#messages/contact.ts'
import { privacyMessages } from '#messages/privacy.ts'
import { controller, owner } from '#base/site.ts'
import { FailureNote } from '#forms/failure-note.tsx'
import { marked } from '#ui/marked.tsx'
import { InquiryForm, type Refusal } from './inquiry-form.tsx'

/** The answer to a privacy request that was sent without scripts: the form again, or, without an answer, the way back to it. */
export function RequestNotSent() {
  const refusal = useLoaderData<Refusal | null>()
  return <div className="wrap">{refusal ? <Refused {...refusal} /> : <Unconfirmed />}</div>
}

function Refused(refusal: Refusal) {
  const { errors, text, values } = refusal
  // What the API did not read, or would not show, is still where it was typed.
  const isKept = errors.length > 0 || Object.keys(values).length > 0
  return (
    <>
      <div className="page-h">
        <h1>{privacyMessages.notSentPage}</h1>
        <FailureNote
          title={privacyMessages.notSent}
          text={errors.length > 0 ? privacyMessages.fieldsNeedFixing(errors.length) : text}
          next={isKept ? privacyMessages.kept : privacyMessages.goBack}
        />
      </div>
      <InquiryForm refusal={refusal} />
    </>
  )
}

const Unconfirmed = () => (
  <div className="page-h">
    <h1>{privacyMessages.unconfirmedPage.title}</h1>
    <p className="lead">{privacyMessages.unconfirmedPage.detail}</p>
    <p>
      {marked(privacyMessages.unconfirmedPage.next, (words) => (
        <a href={`mailto:${controller.privacyEmail}`}>{words}</a>
      ))}
    </p>
  </div>
)

/** The answer to a contact form that was posted without scripts: nothing was sent, and how else to reach us. */
export const MessageNotSent = () => (
  <div className="wrap">
    <div className="page-h">
      <h1>{contactMessages.notSentPage.title}</h1>
      <p className="lead">{contactMessages.notSentPage.detail}</p>
      <p>
        {marked(contactMessages.notSentPage.next, (words) => (
          <a href={`mailto:${owner.email}`}>{words}</a>
        ))}
      </p>
    </div>
  </div>
)
