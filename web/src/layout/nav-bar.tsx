import { useState, type ReactNode } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link, NavLink, useLocation } from 'react-router'
import { nameOf as userName, safeReturnUrl, signIn, signOut, toVisitor } from '#auth/auth.ts'
import { logo, site } from '#base/site.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { canDo, nameOf, useDefinitions, type Definition } from '#data/definitions.ts'
import { useTheme } from './theme.ts'
import { Icon } from '#ui/icon.tsx'
import { Drawer } from '#ui/overlay/drawer.tsx'
import { Menu, MenuLink } from '#ui/overlay/menu.tsx'

/** Above this, models are grouped in one menu. */
const PLAIN_LINKS_MAX = 3

const PAGES = [
  { to: '/', label: specifiedMessages.home },
  { to: '/profile', label: specifiedMessages.profile },
  { to: '/contact', label: specifiedMessages.contact },
  { to: '/privacy', label: specifiedMessages.privacy },
]

export function NavBar() {
  // Bound to the path it was opened on: following a link closes it.
  const [openOn, setOpenOn] = useState<string | null>(null)
  const models = useModelLinks()
  const pages = usePages()
  const { pathname } = useLocation()
  const isOpen = openOn === pathname
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
            aria-expanded={isOpen}
            onClick={() => setOpenOn(pathname)}
          >
            <Icon name="list" />
          </button>
        </div>
      </div>
      <Drawer isOpen={isOpen} title={siteMessages.menu} onClose={() => setOpenOn(null)}>
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
      </Drawer>
    </header>
  )
}

/** Public pages, and those for signed-in users. */
function usePages() {
  const visitor = toVisitor(useAuth().user)
  return [
    ...PAGES,
    ...(visitor?.role === 'admin' ? [{ to: '/desk', label: siteMessages.desk }] : []),
    ...(visitor ? [{ to: '/requests', label: requestsLabel(visitor) }] : []),
  ]
}

/** Staff see all requests. */
const requestsLabel = ({ role }: { role: string }) =>
  role === 'admin' ? siteMessages.staffRequests : siteMessages.requests

type ModelLinks = {
  path: string
  title: string
  name: string
  canList: boolean
  canCreate: boolean
}

/** Links allowed by the visitor's access level. */
function useModelLinks(): ModelLinks[] {
  const visitor = toVisitor(useAuth().user)
  const { definitions } = useDefinitions()
  return definitions
    .filter((definition) => definition.menu !== false)
    .map((definition: Definition) => ({
      path: `/${definition.path.toLowerCase()}`,
      title: definition.viewData.title,
      name: nameOf(definition),
      canList: canDo(definition, 'list', visitor),
      canCreate: canDo(definition, 'create', visitor),
    }))
    .filter(({ canList, canCreate }) => canList || canCreate)
}

function RecordsMenu({ models }: { models: ModelLinks[] }) {
  const { pathname } = useLocation()
  const isCurrent = models.some(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
  return (
    <li>
      <Menu label={siteMessages.records} buttonClass="nav-toggle" isCurrent={isCurrent}>
        {models.map(({ path, title, name, canList, canCreate }) => (
          <div key={path} className="menu-group">
            {canList && (
              <MenuLink to={path} aria-label={siteMessages.list(title)}>
                {title}
              </MenuLink>
            )}
            {canCreate && <MenuLink to={`${path}/create`}>{siteMessages.create(name)}</MenuLink>}
          </div>
        ))}
      </Menu>
    </li>
  )
}

const PlainLinks = ({ path, title, name, canList, canCreate }: ModelLinks) => (
  <>
    {canList && <PageLink to={path} label={title} name={siteMessages.list(title)} />}
    {canCreate && <PageLink to={`${path}/create`} label={siteMessages.create(name)} />}
  </>
)

/** `name` is the accessible name, where it says more than the label. */
function PageLink({ to, label, name }: { to: string; label: ReactNode; name?: string }) {
  return (
    <li>
      <NavLink to={to} end aria-label={name}>
        {label}
      </NavLink>
    </li>
  )
}

function ThemeButton() {
  const { mode, next, setMode } = useTheme()
  const { themeButton, themeModes } = siteMessages
  const name = themeButton(themeModes[mode], themeModes[next])
  return (
    <button
      type="button"
      id="theme"
      className="btn btn-quiet btn-icon"
      aria-label={name}
      title={name}
      onClick={() => setMode(next)}
    >
      <Icon name={THEME_ICONS[mode]} />
    </button>
  )
}

const THEME_ICONS = { light: 'sun', dark: 'moon-stars', system: 'circle-half' }

function Account() {
  const auth = useAuth()
  const { pathname, search } = useLocation()
  if (auth.isLoading) return <span className="who">{specifiedMessages.loading}</span>
  if (auth.user && !auth.user.expired)
    return (
      <>
        <Link
          className="who"
          to="/sessions"
          aria-label={siteMessages.yourSignIn(userName(auth.user))}
          title={siteMessages.sessions}
        >
          <Icon name="person-circle" />
          {userName(auth.user)}
        </Link>
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
    <button
      type="button"
      className="btn btn-secondary btn-sm"
      onClick={() => void signIn({ returnUrl })}
    >
      {specifiedMessages.login}
    </button>
  )
}

/** Swaps to the dark version, if any. */
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
