import { createPortal } from 'react-dom'
import { useAuth } from 'react-oidc-context'
import { Link, useLocation, useNavigation, useRevalidator } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { listMessages } from '#messages/list.ts'
import { siteMessages } from '#messages/site.ts'
import { canDo, firstSegment, nameOf } from '#data/definitions.ts'
import { useDefinitions } from '#layout/use-definitions.ts'
import { sidebarSlot } from '#layout/sidebar-slot.ts'
import { Icon } from '#ui/icon.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { ModelIcon } from '#ui/model-icon.tsx'
import { useCounts } from '#records/shared/counts.ts'

/** In a portal before <main>, so that "Skip to content" skips it. */
export function Sidebar() {
  const visitor = toVisitor(useAuth().user)
  const { definitions } = useDefinitions()
  const counts = useCounts()
  const { revalidate } = useRevalidator()
  const { pathname } = useLocation()
  const here = firstSegment(useNavigation().location?.pathname ?? pathname)
  const shown = definitions.filter(
    (definition) => definition.menu !== false && canDo(definition, 'list', visitor),
  )
  const slot = sidebarSlot.use()
  if (shown.length === 0 || slot === null) return null
  return createPortal(
    <nav className="sidebar" aria-label={siteMessages.records}>
      <h2>{siteMessages.records}</h2>
      <ul>
        {shown.map((definition) => {
          const path = definition.path.toLowerCase()
          const total = counts?.get(definition.path)
          const name = nameOf(definition)
          return (
            <li key={path} className={path === here ? 'on' : undefined}>
              <Link to={`/${path}`} aria-current={path === here ? 'true' : undefined}>
                <ModelIcon path={path} />
                {definition.viewData.title}
                {total && <span className="n">{listMessages.upTo(total.count, total.exact)}</span>}
              </Link>
              {canDo(definition, 'create', visitor) && (
                <Link
                  className="add"
                  to={`/${path}/create`}
                  aria-label={siteMessages.create(name)}
                  title={siteMessages.create(name)}
                >
                  <Icon name="plus-lg" />
                </Link>
              )}
            </li>
          )
        })}
      </ul>
      {counts === null && (
        <LoadFailed what={listMessages.counts} onRetry={() => void revalidate()} />
      )}
    </nav>,
    slot,
  )
}
