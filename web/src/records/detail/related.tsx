import { Link } from 'react-router'
import { detailMessages } from '#messages/detail.ts'
import { definitionAt } from '#data/definitions.ts'
import type { Referrer } from './detail.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { displayOf, type RecordData } from '#records/record/loading.ts'
import { TitleTone } from '#records/record/tone.tsx'
import { useApi } from '#records/record/use-api.ts'

const SHOWN = 5

/** The first of the records of another model that lead here, and the way to all of them. */
type Props = { referrer: Referrer; id: string; isTwice: boolean }

export function Related({ referrer, id, isTwice }: Props) {
  const definition = definitionAt(referrer.model)
  const filter = JSON.stringify({ all: [[referrer.field, 'eq', id]] })
  const query = new URLSearchParams({ filter })
  const { data: page, retry } = useApi<{ items: RecordData[] }>(
    definition && referrer.count > 0
      ? `${definition.routeName}?${query}&limit=${SHOWN}&total=none`
      : null,
  )
  if (!definition || referrer.count === 0) return null
  const path = `/${definition.path.toLowerCase()}`
  return (
    <section className="panel">
      <div className="panel-h">
        <h2>
          {isTwice ? detailMessages.relatedBy(referrer.title, referrer.label) : referrer.title}
        </h2>
        <Link className="end" to={`${path}?${query}`}>
          {detailMessages.all(referrer.count, referrer.exact)}
        </Link>
      </div>
      {page === null ? (
        <LoadFailed what={detailMessages.theseRecords} onRetry={retry} />
      ) : (
        <ul className="related" aria-busy={page === undefined}>
          {page?.items.map((item) => (
            <li key={String(item['id'])}>
              <Link to={`${path}/${encodeURIComponent(String(item['id']))}`}>
                {displayOf(definition, item)}
              </Link>
              <TitleTone fields={definition.viewData.fields} record={item} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
