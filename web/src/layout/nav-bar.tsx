import { useAuth } from 'react-oidc-context'
import { Link, NavLink, useLocation } from 'react-router'
import { hasProductPages } from '#auth/read-config.ts'
import { nameOf as userName, safeReturnUrl, signIn, signOut, toVisitor } from '#auth/auth.ts'
import { logo, site } from '#base/site.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { modelLinks, PLAIN_LINKS_MAX, type ModelLink, type ModelLinks } from '#boot/model-links.ts'
import { RECORDS_MENU_ID } from '#boot/model-menu.ts'
import { nameButton, THEME_MODES, themeButtonName } from '#boot/theme.ts'
import { useDefinitions } from './use-definitions.ts'
import { Icon } from '#ui/icon.tsx'
import { MenuLink } from '#ui/overlay/menu.tsx'

const PAGES = [
  { to: '/', label: specifiedMessages.home },
  { to: '/profile', label: specifiedMessages.profile },
  { to: '/contact', label: specifiedMessages.contact },
  { to: '/privacy', label: specifiedMessages.privacy },
]

export function NavBar() {
  const models = useModelLinks()
  const pages = usePages()
  return (
    <header className="site-header">
      <div className="wrap bar">
        <Link className="brand" to="/">
          {logo ? <OwnLogo {...logo} /> : <DrawnLogo />}
          {!logo?.hasName && site.name}
        </Link>
        <nav className="only-lg" aria-label={siteMessages.mainMenu}>
          <ul className="site-nav">
            {pages.map((page) => (
              <PageLink key={page.to} {...page} />
            ))}
            {models.length > PLAIN_LINKS_MAX ? (
              <RecordsMenu models={models} />
            ) : (
              models.map((model) => <PlainLinks key={model.path} {...model} />)
            )}
          </ul>
        </nav>
        <div className="header-end">
          <ThemeButton />
          <span className="only-lg account">
            <Account />
          </span>
          <button
            type="button"
            className="btn btn-quiet btn-icon only-sm"
            aria-label={siteMessages.menu}
            popoverTarget="side-menu"
          >
            <Icon name="list" />
          </button>
        </div>
      </div>
      <div className="side-menu" id="side-menu" popover="auto">
        <div className="drawer-header">
          <h2>{siteMessages.menu}</h2>
          <button
            type="button"
            className="btn-close"
            aria-label={siteMessages.close}
            popoverTarget="side-menu"
            popoverTargetAction="hide"
          />
        </div>
        <nav aria-label={siteMessages.menu}>
          <ul className="side-nav">
            {pages.map((page) => (
              <PageLink key={page.to} {...page} />
            ))}
            {models.map((model) => (
              <PlainLinks key={model.path} {...model} />
            ))}
          </ul>
          <div className="side-account">
            <Account />
          </div>
        </nav>
      </div>
    </header>
  )
}

function usePages() {
  const visitor = toVisitor(useAuth().user)
  const isOffered = hasProductPages()
  return [
    ...PAGES,
    ...(isOffered && visitor?.role === 'admin' ? [{ to: '/desk', label: siteMessages.desk }] : []),
    ...(isOffered && visitor ? [{ to: '/requests', label: requestsLabel(visitor) }] : []),
  ]
}

const requestsLabel = ({ role }: { role: string }) =>
  role === 'admin' ? siteMessages.staffRequests : siteMessages.requests

const useModelLinks = () => modelLinks(useDefinitions().definitions, toVisitor(useAuth().user))

/** A native popover: boot/menu.ts positions it and handles arrow keys. */
function RecordsMenu({ models }: { models: ModelLinks[] }) {
  const { pathname } = useLocation()
  const isCurrent = models.some(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
  return (
    <li>
      <button
        type="button"
        className="nav-toggle dropdown-toggle"
        aria-current={isCurrent || undefined}
        popoverTarget={RECORDS_MENU_ID}
      >
        {siteMessages.records}
      </button>
      <div id={RECORDS_MENU_ID} className="dropdown-menu" popover="auto">
        {models.map(({ path, links }) => (
          <div key={path} className="menu-group">
            {links.map(({ to, label, name }) => (
              <MenuLink key={to} to={to} aria-label={name}>
                {label}
              </MenuLink>
            ))}
          </div>
        ))}
      </div>
    </li>
  )
}

const PlainLinks = ({ links }: ModelLinks) =>
  links.map((link) => <PageLink key={link.to} {...link} />)

function PageLink({ to, label, name }: ModelLink) {
  return (
    <li>
      <NavLink to={to} end aria-label={name}>
        {label}
      </NavLink>
    </li>
  )
}

/** The styles show the mode's icon; boot/theme.ts switches and names it. */
const ThemeButton = () => (
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

function Account() {
  const auth = useAuth()
  const { pathname, search } = useLocation()
  if (auth.isLoading) return <span className="who">{specifiedMessages.loading}</span>
  if (auth.user && !auth.user.expired)
    return (
      <>
        <UserName name={userName(auth.user)} />
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
      <Icon name="person-circle" />
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
