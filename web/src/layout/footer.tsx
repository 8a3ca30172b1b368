import { isExampleLink, type Social } from '@gatehouse/model'
import { Link } from 'react-router'
import { askConsent } from './consent.ts'
import { owner, site, socials } from '#base/site.ts'
import { texts } from '#messages/texts.ts'
import { Icon } from '#ui/icon.tsx'

const YEAR = new Date().getFullYear()

export function Footer() {
  return (
    <footer className="site-footer">
      <div className="wrap row1">
        <div>
          {/* The page may have been made last year. */}
          <p suppressHydrationWarning>{texts.copyright(YEAR, site.name, owner.credit)}</p>
          <ul className="footer-links" aria-label={texts.more}>
            <li>
              <Link to="/msp/services">{texts.services}</Link>
            </li>
            <li>
              <Link to="/security">{texts.security}</Link>
            </li>
            <li>
              <button type="button" onClick={askConsent}>
                {texts.cookieSettings}
              </button>
            </li>
          </ul>
        </div>
        <div className="social">
          {ORDER.some(([name]) => isExampleLink(socials[name])) && (
            <span className="sample">{texts.sample}</span>
          )}
          <ul aria-label={texts.profilesElsewhere}>
            {ORDER.map(([name, icon]) => (
              <li key={name}>
                <SocialLink href={socials[name]} name={texts.socials[name]} icon={icon} />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </footer>
  )
}

const SocialLink = ({ href, name, icon }: { href: string; name: string; icon: string }) => {
  const label = isExampleLink(href) ? texts.sampleLink(name) : name
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
