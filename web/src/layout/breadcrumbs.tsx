import { Link, useMatches, type UIMatch } from 'react-router'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import type { Handle } from './crumb.ts'

export function Breadcrumbs() {
  const crumbs = useMatches().flatMap(toCrumb)
  if (crumbs.length === 0) return null
  const all = [{ to: '/', label: specifiedMessages.home }, ...crumbs]
  return (
    <nav className="crumbs" aria-label={siteMessages.breadcrumb}>
      <div className="wrap">
        <ol>
          {all.map(({ to, label }, place) => (
            <li key={to}>
              {place === all.length - 1 ? (
                <span aria-current="page">{label}</span>
              ) : (
                <Link to={to}>{label}</Link>
              )}
            </li>
          ))}
        </ol>
      </div>
    </nav>
  )
}

function toCrumb({ handle, pathname, loaderData, params }: UIMatch) {
  const { crumb, above, needsNoData } = (handle ?? {}) as Handle
  // A page whose loader failed has no crumb.
  if (crumb === undefined) return []
  if (typeof crumb === 'function' && crumb.length > 0 && !needsNoData && loaderData === undefined)
    return []
  return [
    ...(above && loaderData !== undefined ? [above({ data: loaderData, params })] : []),
    {
      to: pathname,
      label: typeof crumb === 'string' ? crumb : crumb({ data: loaderData, params }),
    },
  ]
}
