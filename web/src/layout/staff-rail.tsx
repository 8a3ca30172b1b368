import { useAuth } from 'react-oidc-context'
import { Link, useLocation, useNavigation } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { formatCount } from '#base/format.ts'
import { canDo, firstSegment } from '#data/definitions.ts'
import { modelCounts } from '#data/model-counts.ts'
import { shellMessages } from '#messages/shell.ts'
import { siteMessages } from '#messages/site.ts'
import { LoadFailed } from '#ui/load-failed.tsx'
import { ModelIcon } from '#ui/model-icon.tsx'
import { StaffIcon } from './staff-icon.tsx'
import { useStaffPages } from './staff-pages.ts'
import { useDefinitions } from './use-definitions.ts'

/** Before <main>, so that "Skip to content" skips it. */
export function StaffRail() {
  const { pathname } = useLocation()
  const here = `/${firstSegment(useNavigation().location?.pathname ?? pathname)}`
  return (
    <div className="rail noprint">
      <Records here={here} />
      <StaffPages here={here} />
    </div>
  )
}

function Records({ here }: { here: string }) {
  const visitor = toVisitor(useAuth().user)
  const counts = modelCounts.use()
  const shown = useDefinitions().definitions.filter(
    (definition) => definition.menu !== false && canDo(definition, 'list', visitor),
  )
  if (shown.length === 0) return null
  return (
    <nav aria-label={siteMessages.records}>
      <h2>{siteMessages.records}</h2>
      <ul>
        {shown.map(({ path, viewData }) => {
          const to = `/${path.toLowerCase()}`
          const total = counts?.get(path)
          return (
            <li key={path}>
              <Link to={to} aria-current={to === here || undefined}>
                <ModelIcon path={path.toLowerCase()} />
                <span>{viewData.title}</span>
                {total && <span className="n">{formatCount(total.count, total.exact)}</span>}
              </Link>
            </li>
          )
        })}
      </ul>
      {counts === null && (
        <LoadFailed what={shellMessages.counts} onRetry={() => void modelCounts.reload()} />
      )}
    </nav>
  )
}

function StaffPages({ here }: { here: string }) {
  const pages = useStaffPages()
  if (pages.length === 0) return null
  return (
    <nav aria-label={shellMessages.staffPages}>
      <h2>{shellMessages.staffPages}</h2>
      <ul>
        {pages.map(({ to, label, icon }) => (
          <li key={to}>
            <Link to={to} aria-current={to === here || undefined}>
              <StaffIcon name={icon} />
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
