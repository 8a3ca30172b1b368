import { useAuth } from 'react-oidc-context'
import { Link, NavLink } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { formatCount } from '#base/format.ts'
import { canDo, nameOf } from '#data/definitions.ts'
import { deskCount } from '#data/desk-count.ts'
import { shellMessages } from '#messages/shell.ts'
import { siteMessages } from '#messages/site.ts'
import { initialsOf } from '#ui/initials.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'
import { MenuLink } from '#ui/overlay/menu-link.tsx'
import {
  Account,
  Brand,
  MenuButton,
  NavMenu,
  PageLink,
  PAGES,
  PlainLinks,
  RecordsMenu,
  SideMenu,
  ThemeButton,
  useModelLinks,
} from './nav-parts.tsx'
import { paletteState } from './palette-state.ts'
import { useStaffPages } from './staff-pages.ts'
import { StatusParts } from './status-line.tsx'
import { useDefinitions } from './use-definitions.ts'

const SITE_MENU_ID = 'site-menu'
const NEW_MENU_ID = 'new-menu'

export function StaffBar() {
  const models = useModelLinks()
  return (
    <header className="site-header staff-bar">
      <div className="wrap bar">
        <Brand />
        <nav className="only-lg" aria-label={siteMessages.mainMenu}>
          <ul className="site-nav">
            <DeskLink />
            <RecordsMenu models={models} />
            <SiteMenu />
          </ul>
        </nav>
        <div className="header-end">
          <SearchButton />
          <NewMenu />
          <ThemeButton />
          <span className="only-lg account">
            <Account User={StaffName} />
          </span>
          <MenuButton />
        </div>
      </div>
      <StaffMenu />
    </header>
  )
}

function DeskLink() {
  const total = deskCount.use()
  return (
    <li>
      <NavLink to="/desk">
        {siteMessages.desk}
        {total && (
          <span className="n num">
            {formatCount(total.count, total.exact)}
            <span className="visually-hidden"> {shellMessages.awaitingReply}</span>
          </span>
        )}
      </NavLink>
    </li>
  )
}

const SiteMenu = () => (
  <li>
    <NavMenu id={SITE_MENU_ID} label={shellMessages.site}>
      {PAGES.map(({ to, label }) => (
        <MenuLink key={to} to={to}>
          {label}
        </MenuLink>
      ))}
    </NavMenu>
  </li>
)

/** On a phone the icon alone is visible; the text stays the button's name. */
const SearchButton = () => (
  <button
    type="button"
    className="find"
    aria-haspopup="dialog"
    aria-keyshortcuts="Control+K Meta+K"
    onClick={() => paletteState.set('search')}
  >
    <RecordIcon name="search" />
    <span>{shellMessages.search}</span>
    <kbd aria-hidden="true">{shellMessages.searchKey}</kbd>
  </button>
)

function NewMenu() {
  const visitor = toVisitor(useAuth().user)
  const offered = useDefinitions().definitions.filter(
    (definition) => definition.menu !== false && canDo(definition, 'create', visitor),
  )
  return (
    <span className="only-lg">
      <NavMenu
        id={NEW_MENU_ID}
        buttonClass="btn btn-secondary btn-sm "
        label={
          <>
            <RecordIcon name="plus-lg" />
            {shellMessages.new}
          </>
        }
      >
        {offered.map((definition) => (
          <MenuLink key={definition.path} to={`/${definition.path.toLowerCase()}/create`}>
            {siteMessages.create(nameOf(definition))}
          </MenuLink>
        ))}
      </NavMenu>
    </span>
  )
}

/** Initials in the staff's shape; the name is a link to the page about the sign-in. */
const StaffName = ({ name }: { name: string }) => (
  <Link className="who" to="/sessions" title={siteMessages.sessions}>
    <span className="staff-initials" aria-hidden="true">
      {initialsOf(name)}
    </span>
    <span className="name" aria-hidden="true">
      {name}
    </span>
    <span className="visually-hidden">{siteMessages.yourSignIn(name)}</span>
  </Link>
)

/** Everything of bar, rail and status line, for widths that don't show them. */
function StaffMenu() {
  const models = useModelLinks()
  const pages = useStaffPages()
  return (
    <SideMenu>
      <ul className="side-nav">
        <DeskLink />
        {pages.map((page) => (
          <PageLink key={page.to} {...page} />
        ))}
      </ul>
      <h3>{siteMessages.records}</h3>
      <ul className="side-nav">
        {models.map((model) => (
          <PlainLinks key={model.path} {...model} />
        ))}
      </ul>
      <h3>{shellMessages.site}</h3>
      <ul className="side-nav">
        {PAGES.map((page) => (
          <PageLink key={page.to} {...page} />
        ))}
      </ul>
      <div className="side-account">
        <Account User={StaffName} />
      </div>
      <div className="side-status">
        <StatusParts />
      </div>
    </SideMenu>
  )
}
