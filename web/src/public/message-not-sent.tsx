import { contactMessages } from '#messages/contact.ts'
import { owner } from '#base/site.ts'

/** The answer to a contact form that was posted without scripts: nothing was sent, and how else to reach us. */
export const MessageNotSent = () => (
  <div className="wrap">
    <div className="page-h">
      <h1>{contactMessages.notSentPage.title}</h1>
      <p className="lead">{contactMessages.notSentPage.detail}</p>
      <p>
        {contactMessages.notSentPage.next} <a href={`mailto:${owner.email}`}>{owner.email}</a>
      </p>
    </div>
  </div>
)
