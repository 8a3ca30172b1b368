import { useLoaderData } from 'react-router'
import { contactMessages } from '#messages/contact.ts'
import { privacyMessages } from '#messages/privacy.ts'
import { controller, owner } from '#base/site.ts'
import { FailureNote } from '#forms/failure-note.tsx'
import { renderMarked } from '#ui/render-marked.tsx'
import { OrCall } from './or-call.tsx'
import { InquiryForm, type Refusal } from './inquiry-form.tsx'

/** Response to a rejected privacy request without scripts: the form again, or a link back if the API didn't respond. */
export function RequestNotSent() {
  const refusal = useLoaderData<Refusal | null>()
  return <div className="wrap">{refusal ? <RejectedRequest {...refusal} /> : <Unconfirmed />}</div>
}

function RejectedRequest(refusal: Refusal) {
  const { errors, text, values } = refusal
  // The previous page still has input that the API didn't return.
  const hasInput = errors.length > 0 || Object.keys(values).length > 0
  return (
    <>
      <div className="page-h">
        <h1>{privacyMessages.notSentPage}</h1>
        <FailureNote
          title={privacyMessages.notSent}
          text={errors.length > 0 ? privacyMessages.fieldsNeedFixing(errors.length) : text}
          next={hasInput ? privacyMessages.kept : privacyMessages.goBack}
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
      {renderMarked(privacyMessages.unconfirmedPage.next, (text) => (
        <a href={`mailto:${controller.privacyEmail}`}>{text}</a>
      ))}
    </p>
  </div>
)

/** Response to a contact form posted without scripts: not sent, with other ways to reach us. */
export const MessageNotSent = () => (
  <div className="wrap">
    <div className="page-h">
      <h1>{contactMessages.notSentPage.title}</h1>
      <p className="lead">{contactMessages.notSentPage.detail}</p>
      <p>
        {renderMarked(contactMessages.notSentPage.next, (text) => (
          <a href={`mailto:${owner.email}`}>{text}</a>
        ))}{' '}
        <OrCall />
      </p>
    </div>
  </div>
)
