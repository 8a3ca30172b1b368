import { telLink } from '@gatehouse/model'
import type { ComponentType, ReactNode } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link, useLocation } from 'react-router'
import { hasProductPages } from '#auth/read-config.ts'
import { nameOf as userName, safeReturnUrl, signIn, signOut, toVisitor } from '#auth/auth.ts'
import { logo, openingHours, site } from '#base/site.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { menuDefinitions } from '#data/definitions.ts'
import { currentOf, modelLinks, type ModelLink, type ModelLinks } from '#boot/model-links.ts'
import { RECORDS_MENU_ID } from '#boot/model-menu.ts'
import { nameButton, THEME_MODES, themeButtonName } from '#boot/theme.ts'
import { useDefinitions } from './use-definitions.ts'
import { withoutBreaks } from '#ui/contact-lines.tsx'
import { Icon } from '#ui/icon.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'
import { MenuLink } from '#ui/overlay/menu-link.tsx'

/** The specification's pages, in its order. */
export const PAGES = [
  { to: '/', label: specifiedMessages.home },
  { to: '/profile', label: specifiedMessages.profile },
  { to: '/contact', label: specifiedMessages.contact },
  { to: '/privacy', label: specifiedMessages.privacy },
]

const SIDE_MENU_ID = 'side-menu'

export const useModelLinks = () =>
  modelLinks(menuDefinitions(useDefinitions()), toVisitor(useAuth().user))

export const MenuButton = () => (
  <button
    type="button"
    className="btn btn-quiet btn-icon only-sm"
    aria-label={siteMessages.menu}
    popoverTarget={SIDE_MENU_ID}
  >
    <Icon name="list" />
  </button>
)

/** Of phones: a native popover, which opens without scripts. */
export const SideMenu = ({ children }: { children: ReactNode }) => (
  <div className="side-menu" id={SIDE_MENU_ID} popover="auto">
    <div className="drawer-header">
      <h2>{siteMessages.menu}</h2>
      <button
        type="button"
        className="btn-close"
        aria-label={siteMessages.close}
        popoverTarget={SIDE_MENU_ID}
        popoverTargetAction="hide"
      />
    </div>
    <nav aria-label={siteMessages.menu}>{children}</nav>
  </div>
)

type NavMenuProps = {
  id: string
  label: ReactNode
  buttonClass?: string
  isCurrent?: boolean
  children: ReactNode
}

/** A native popover: boot/menu.ts positions it and handles arrow keys. */
export const NavMenu = ({ id, label, buttonClass = '', isCurrent, children }: NavMenuProps) => (
  <>
    <button
      type="button"
      className={`${buttonClass}nav-toggle dropdown-toggle`}
      aria-current={isCurrent || undefined}
      popoverTarget={id}
    >
      {label}
    </button>
    <div id={id} className="dropdown-menu" popover="auto">
      {children}
    </div>
  </>
)

export function RecordsMenu({ models }: { models: ModelLinks[] }) {
  const { pathname } = useLocation()
  const isCurrent = models.some(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
  return (
    <li data-models>
      <NavMenu id={RECORDS_MENU_ID} label={siteMessages.records} isCurrent={isCurrent}>
        {models.map(({ path, links }) => (
          <div key={path} className="menu-group">
            {links.map(({ to, label, name }) => (
              <MenuLink key={to} to={to} aria-label={name}>
                {label}
              </MenuLink>
            ))}
          </div>
        ))}
      </NavMenu>
    </li>
  )
}

export const PlainLinks = ({ links }: ModelLinks) =>
  links.map((link) => <PageLink key={link.to} {...link} isModel />)

/** boot/model-menu.ts replaces those of models. */
export function PageLink({ isModel, ...link }: ModelLink & { isModel?: boolean }) {
  const { to, label, name } = link
  return (
    <li data-models={isModel}>
      <Link to={to} aria-label={name} aria-current={currentOf(link, useLocation().pathname)}>
        {label}
      </Link>
    </li>
  )
}

/** The number from 992 px, otherwise its icon alone, with the opening hours as its title; nothing on a site without one. */
export const HeaderPhone = () =>
  site.phone && (
    <a
      className="tel"
      href={telLink(site.phone)}
      aria-label={siteMessages.call(site.phone)}
      title={openingHours.join(', ') || undefined}
    >
      <Icon name="telephone" />
      <span className="only-lg num">{withoutBreaks(site.phone)}</span>
    </a>
  )

/** The styles show the mode's icon; boot/theme.ts switches and names it. */
export const ThemeButton = () => (
  <button
    type="button"
    id="theme"
    className="btn btn-quiet btn-icon"
    aria-label={themeButtonName('system')}
    title={themeButtonName('system')}
    data-boot="theme"
    ref={nameButton}
    suppressHydrationWarning
  >
    {THEME_MODES.map((mode) => (
      <span key={mode} data-mode={mode}>
        <Icon name={THEME_ICONS[mode]} />
      </span>
    ))}
  </button>
)

const THEME_ICONS = { light: 'sun', dark: 'moon-stars', system: 'circle-half' }

/** `User` draws the name of who is signed in. */
export function Account({ User = UserName }: { User?: ComponentType<{ name: string }> }) {
  const auth = useAuth()
  const { pathname, search } = useLocation()
  if (auth.isLoading) return <span className="who">{specifiedMessages.loading}</span>
  if (auth.user && !auth.user.expired)
    return (
      <>
        <User name={userName(auth.user)} />
        <button
          type="button"
          className="btn btn-secondary btn-sm"
          onClick={() => void signOut(pathname)}
        >
          {specifiedMessages.logout}
        </button>
      </>
    )
  const returnUrl =
    pathname === '/login'
      ? safeReturnUrl(new URLSearchParams(search).get('returnUrl'))
      : pathname + search
  return (
    <>
      {/* Placeholder: theme.js writes Loading here before the first paint if a sign-in is stored. */}
      <span className="who pending" suppressHydrationWarning>
        {''}
      </span>
      <button
        type="button"
        className="btn btn-secondary btn-sm"
        data-early="login"
        onClick={() => void signIn({ returnUrl })}
      >
        {specifiedMessages.login}
      </button>
    </>
  )
}

/** Links to the page about the sign-in, if there is one. */
function UserName({ name }: { name: string }) {
  const content = (
    <>
      <RecordIcon name="person-circle" />
      {name}
    </>
  )
  if (!hasProductPages()) return <span className="who">{content}</span>
  return (
    <Link
      className="who"
      to="/sessions"
      aria-label={siteMessages.yourSignIn(name)}
      title={siteMessages.sessions}
    >
      {content}
    </Link>
  )
}

export const Brand = () => (
  <Link className="brand" to="/">
    {logo ? <OwnLogo {...logo} /> : <DrawnLogo />}
    {!logo?.hasName && site.name}
  </Link>
)

const OwnLogo = ({ light, dark, hasName }: NonNullable<typeof logo>) => {
  const alt = hasName ? site.name : ''
  return (
    <>
      <img {...light} alt={alt} className={dark ? 'in-light' : undefined} />
      {dark && <img {...dark} alt={alt} className="in-dark" />}
    </>
  )
}

const DrawnLogo = () => (
  <svg viewBox="0 0 26 26" aria-hidden="true">
    <path d="M24 2H8.5a4.5 4.5 0 0 0 0 9H24zM24 15H8.5a4.5 4.5 0 0 0 0 9H24z" fill="currentColor" />
    <circle cx="2.6" cy="13" r="1.6" fill="var(--gh-brass)" />
    <path d="M6 13h18" stroke="var(--gh-brass)" strokeWidth="1.6" />
  </svg>
)
