import { useAuth } from 'react-oidc-context'
import { Link, useLocation, useNavigation } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { formatCount } from '#base/format.ts'
import { canDo, firstSegment, nameOf } from '#data/definitions.ts'
import { modelCounts } from '#data/model-counts.ts'
import { presentationOf } from '#data/presentation.ts'
import { siteMessages } from '#messages/site.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { ModelIcon } from '#ui/model-icon.tsx'
import { useDefinitions } from './use-definitions.ts'

type Props = {
  className?: string
  /** Adds a link that creates a record to each. */
  isCreating?: boolean
}

/** The lists one may open, with their counts. */
export function ModelNav({ className, isCreating }: Props) {
  const visitor = toVisitor(useAuth().user)
  const counts = modelCounts.use()
  const here = useHere()
  const shown = useDefinitions().definitions.filter(
    (definition) => definition.menu !== false && canDo(definition, 'list', visitor),
  )
  if (shown.length === 0) return null
  return (
    <nav className={className} aria-label={siteMessages.records}>
      <h2>{siteMessages.records}</h2>
      <ul>
        {shown.map((definition) => {
          const to = `/${definition.path.toLowerCase()}`
          const total = counts?.get(definition.path)
          const createName = siteMessages.create(nameOf(definition))
          return (
            <li key={to} className={to === here ? 'on' : undefined}>
              <Link to={to} aria-current={to === here || undefined}>
                <ModelIcon name={presentationOf(definition).icon} />
                <span>{definition.viewData.title}</span>
                {total && <span className="n">{formatCount(total.count, total.exact)}</span>}
              </Link>
              {isCreating && canDo(definition, 'create', visitor) && (
                <Link
                  className="add"
                  to={`${to}/create`}
                  aria-label={createName}
                  title={createName}
                >
                  <RecordIcon name="plus-lg" />
                </Link>
              )}
            </li>
          )
        })}
      </ul>
      {counts === null && (
        <LoadFailed what={siteMessages.parts.counts} onRetry={() => void modelCounts.reload()} />
      )}
    </nav>
  )
}

/** First segment of the page, or of the one that is being opened. */
export function useHere() {
  const { pathname } = useLocation()
  return `/${firstSegment(useNavigation().location?.pathname ?? pathname)}`
}
