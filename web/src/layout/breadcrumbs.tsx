import { Link, useMatches, type UIMatch } from 'react-router'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import type { Handle } from './crumb.ts'

/** Only Home while the page's own crumbs are unknown. */
export function Breadcrumbs() {
  const matches = useMatches().filter(({ handle }) => handleOf(handle).crumb !== undefined)
  if (matches.length === 0) return null
  const all = [{ to: '/', label: specifiedMessages.home }, ...matches.flatMap(toCrumb)]
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
  const { crumb, above, needsNoData } = handleOf(handle)
  // A page whose loader failed has no crumb.
  if (typeof crumb === 'function' && crumb.length > 0 && !needsNoData && loaderData === undefined)
    return []
  const label = typeof crumb === 'function' ? crumb({ data: loaderData, params }) : crumb
  return [
    ...(above && loaderData !== undefined ? [above({ data: loaderData, params })] : []),
    ...(label ? [{ to: pathname, label }] : []),
  ]
}

const handleOf = (handle: unknown) => (handle ?? {}) as Handle
