import { isExampleLink, type Social } from '@gatehouse/model'
import { Link } from 'react-router'
import { icons, openingHours, owner, site, socials } from '#base/site.ts'
import { siteMessages } from '#messages/site.ts'
import { PhoneLink } from '#ui/contact-lines.tsx'

const YEAR = new Date().getFullYear()

export const Footer = () => (
  <footer className="site-footer">
    <div className="wrap row1">
      <div>
        <FooterContact />
        <Copyright />
        <FooterLinks />
      </div>
      <SocialLinks />
    </div>
  </footer>
)

const FooterContact = () => (
  <ul className="footer-contact" aria-label={siteMessages.contactDetails}>
    {site.phone && (
      <li>
        <PhoneLink phone={site.phone} />
      </li>
    )}
    <li>
      <a href={`mailto:${owner.email}`}>{owner.email}</a>
    </li>
    {openingHours.map((line) => (
      <li key={line}>{line}</li>
    ))}
    {site.emergency && (
      <li>
        {siteMessages.emergency} <PhoneLink phone={site.emergency.phone} /> {site.emergency.note}
      </li>
    )}
  </ul>
)

/** Prerendered, so the year may be outdated. */
export const Copyright = () => (
  <p suppressHydrationWarning>{siteMessages.copyright(YEAR, site.name, owner.credit)}</p>
)

export const FooterLinks = () => (
  <ul className="footer-links" aria-label={siteMessages.more}>
    <li>
      <Link to="/security">{siteMessages.security}</Link>
    </li>
    <li>
      <button type="button" data-boot="cookies">
        {siteMessages.cookieSettings}
      </button>
    </li>
  </ul>
)

export const SocialLinks = () => (
  <div className="social">
    <ul aria-label={siteMessages.profilesElsewhere}>
      {ORDER.map((name) => (
        <li key={name}>
          <SocialLink name={name} />
        </li>
      ))}
    </ul>
  </div>
)

function SocialLink({ name }: { name: Social }) {
  const href = socials[name]
  const title = siteMessages.socials[name]
  const label = isExampleLink(href) ? siteMessages.sampleLink(title) : title
  return (
    <a href={href} rel="me noopener" aria-label={label} title={label}>
      <svg className="bi" aria-hidden="true">
        <use href={`${icons.social}#${name}`} />
      </svg>
    </a>
  )
}

/** The specification's order. */
const ORDER: Social[] = [
  'credentials',
  'cloudLearning',
  'developerProfile',
  'codeHosting',
  'messaging',
  'microblog',
  'socialNetwork',
  'professionalNetwork',
]
