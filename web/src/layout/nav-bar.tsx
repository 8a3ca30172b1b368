import { useAuth } from 'react-oidc-context'
import { hasProductPages } from '#auth/read-config.ts'
import { toVisitor } from '#auth/auth.ts'
import { siteMessages } from '#messages/site.ts'
import { PLAIN_LINKS_MAX } from '#boot/model-links.ts'
import {
  Account,
  Brand,
  HeaderPhone,
  MenuButton,
  PageLink,
  PAGES,
  PlainLinks,
  RecordsMenu,
  SideMenu,
  ThemeButton,
  useModelLinks,
} from './nav-parts.tsx'

export function NavBar() {
  const models = useModelLinks()
  const pages = usePages()
  return (
    <header className="site-header">
      <div className="wrap bar">
        <Brand />
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
          <HeaderPhone />
          <ThemeButton />
          <span className="only-lg account">
            <Account />
          </span>
          <MenuButton />
        </div>
      </div>
      <SideMenu>
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
      </SideMenu>
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
