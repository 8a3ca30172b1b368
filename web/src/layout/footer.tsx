import { isExampleLink, type Social } from '@gatehouse/model'
import { Link } from 'react-router'
import { owner, site, socials } from '#base/site.ts'
import { siteMessages } from '#messages/site.ts'
import { Icon } from '#ui/icon.tsx'

const YEAR = new Date().getFullYear()

export function Footer() {
  return (
    <footer className="site-footer">
      <div className="wrap row1">
        <div>
          {/* Prerendered, perhaps last year. */}
          <p suppressHydrationWarning>{siteMessages.copyright(YEAR, site.name, owner.credit)}</p>
          <ul className="footer-links" aria-label={siteMessages.more}>
            <li>
              <Link to="/msp/services">{siteMessages.services}</Link>
            </li>
            <li>
              <Link to="/security">{siteMessages.security}</Link>
            </li>
            <li>
              <button type="button" data-boot="cookies">
                {siteMessages.cookieSettings}
              </button>
            </li>
          </ul>
        </div>
        <div className="social">
          {ORDER.some(([name]) => isExampleLink(socials[name])) && (
            <span className="sample">{siteMessages.sample}</span>
          )}
          <ul aria-label={siteMessages.profilesElsewhere}>
            {ORDER.map(([name, icon]) => (
              <li key={name}>
                <SocialLink href={socials[name]} name={siteMessages.socials[name]} icon={icon} />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </footer>
  )
}

const SocialLink = ({ href, name, icon }: { href: string; name: string; icon: string }) => {
  const label = isExampleLink(href) ? siteMessages.sampleLink(name) : name
  return (
    <a href={href} rel="me noopener" aria-label={label} title={label}>
      <Icon name={icon} />
    </a>
  )
}

/** The specification's order. */
const ORDER: [Social, string][] = [
  ['credentials', 'patch-check'],
  ['cloudLearning', 'cloud-check'],
  ['developerProfile', 'braces'],
  ['codeHosting', 'github'],
  ['messaging', 'chat-dots'],
  ['microblog', 'twitter-x'],
  ['socialNetwork', 'facebook'],
  ['professionalNetwork', 'linkedin'],
]
