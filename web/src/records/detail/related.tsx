import { Link, useRevalidator } from 'react-router'
import { detailMessages } from '#messages/detail.ts'
import type { RelatedList } from './about.ts'
import { LoadFailed } from '#ui/load-failed.tsx'
import { displayOf } from '#records/shared/loader-errors.ts'
import { TitleTones } from './title-tones.tsx'
import { useDeferred } from '#records/shared/deferred.ts'

export function Related({ related }: { related: RelatedList }) {
  const { definition, query } = related
  const page = useDeferred(related.page)
  const { revalidate } = useRevalidator()
  const path = `/${definition.path.toLowerCase()}`
  return (
    <section className="panel">
      <div className="panel-h">
        <h2>
          {related.isTwice ? detailMessages.relatedBy(related.title, related.label) : related.title}
        </h2>
        <Link className="end" to={`${path}?${query}`}>
          {detailMessages.all(related.count, related.exact)}
        </Link>
      </div>
      {page === null ? (
        <LoadFailed what={detailMessages.theseRecords} onRetry={() => void revalidate()} />
      ) : (
        <ul className="related" aria-busy={page === undefined}>
          {page?.items.map((item) => (
            <li key={String(item['id'])}>
              <Link to={`${path}/${encodeURIComponent(String(item['id']))}`}>
                {displayOf(definition, item)}
              </Link>
              <TitleTones fields={definition.viewData.fields} record={item} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
