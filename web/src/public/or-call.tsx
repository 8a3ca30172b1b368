import { site } from '#base/site.ts'
import { contactMessages } from '#messages/contact.ts'
import { PhoneLink } from '#ui/contact-lines.tsx'

/** Follows an email address; nothing on a site without a phone number. */
export const OrCall = () =>
  site.phone && (
    <>
      {contactMessages.orCall} <PhoneLink phone={site.phone} />
    </>
  )
