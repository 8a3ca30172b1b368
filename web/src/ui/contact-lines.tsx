import { telLink } from '@gatehouse/model'
import { openingHours, site } from '#base/site.ts'
import { siteMessages } from '#messages/site.ts'

/** A number stays on one line. */
export const withoutBreaks = (phone: string) => phone.replaceAll(' ', '\u00a0')

export const PhoneLink = ({ phone }: { phone: string }) => (
  <a className="num" href={telLink(phone)}>
    {withoutBreaks(phone)}
  </a>
)

/** Phone and opening hours, beside what a page offers; nothing on a site without them. */
export const ContactLines = () =>
  (site.phone || openingHours.length > 0) && (
    <p className="contact-lines">
      {site.phone && (
        <span>
          {siteMessages.preferToTalk} <PhoneLink phone={site.phone} />
        </span>
      )}
      {openingHours.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </p>
  )

/** The number for emergencies; nothing on a site without one. */
export const EmergencyLine = () =>
  site.emergency && (
    <p className="contact-lines">
      <span>
        <strong>{siteMessages.emergency}</strong> <PhoneLink phone={site.emergency.phone} />
      </span>
      <span>{site.emergency.note}</span>
    </p>
  )
