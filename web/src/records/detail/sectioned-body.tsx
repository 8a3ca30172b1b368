import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { detailMessages } from '#messages/detail.ts'
import { fieldsNamed } from '#data/presentation.ts'
import { useDeferred } from '#records/shared/deferred.ts'
import { displayOf } from '#records/shared/loader-errors.ts'
import { Timeline } from '#records/timeline/timeline.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { Aside } from './aside.tsx'
import { Glance } from './glance.tsx'
import type { BodyProps } from './plain-body.tsx'
import { SectionProperties } from './properties.tsx'
import type { SectionedParts, RelatedSection } from './page-parts.ts'
import { RelatedTable, titleOf } from './related-table.tsx'
import { SectionLinks, type SectionLink } from './section-links.tsx'

/** As the model says: facts, sections, related lists, and the activity at the side. */
export function SectionedBody({
  definition,
  record,
  isTrashed,
  inputOf,
  parts,
}: BodyProps & { parts: SectionedParts }) {
  const { layout, sections, related } = parts
  const about = useDeferred(parts.about)
  const feeds = useDeferred(parts.feeds)
  const { revalidate } = useRevalidator()
  const countOf = (section: RelatedSection) =>
    about?.referrers.find(
      ({ model, field }) => model === section.definition.path && field === section.by,
    )
  useFirstPropertyKey()
  const links: SectionLink[] = [
    ...sections.map(({ title }, place) => ({ id: sectionId(place), title })),
    ...related.map((section) => {
      const count = countOf(section)
      return {
        id: section.id,
        title: titleOf(section),
        ...(count ? { count: detailMessages.count(count.count, count.exact) } : {}),
      }
    }),
  ]
  return (
    <>
      <Glance definition={definition} record={record} facts={layout.glance} about={about} />
      <SectionLinks links={links} />
      <div className="rec-grid">
        <div>
          {sections.map(({ title, fields }, place) => (
            <section
              key={title}
              className="rsec"
              id={sectionId(place)}
              aria-labelledby={`${sectionId(place)}-title`}
            >
              <div className="h">
                <h2 id={`${sectionId(place)}-title`}>{title}</h2>
              </div>
              <SectionProperties
                definition={definition}
                record={record}
                fields={fieldsNamed(definition, fields)}
                inputOf={inputOf}
              />
            </section>
          ))}
          {related.map((section) => (
            <RelatedTable
              key={section.id}
              section={section}
              record={record}
              name={displayOf(definition, record)}
              count={countOf(section)}
            />
          ))}
          {about === null && (
            <LoadFailed what={detailMessages.relatedRecords} onRetry={() => void revalidate()} />
          )}
        </div>
        <div className="rec-side">
          {parts.feeds && (
            <Timeline
              definition={definition}
              options={layout.timeline}
              feeds={feeds}
              onRetry={() => void revalidate()}
            />
          )}
          <Aside
            definition={definition}
            record={record}
            about={about ?? null}
            isTrashed={isTrashed}
          />
        </div>
      </div>
    </>
  )
}

const sectionId = (place: number) => `section-${place + 1}`

/** F2 outside a property moves to the first, so that no Tab through bar and rail is needed. */
function useFirstPropertyKey() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isInField = (event.target as Element).closest('input, textarea, select, dialog')
      if (event.key !== 'F2' || event.defaultPrevented || isInField) return
      document.querySelector<HTMLElement>('.properties [data-edit]')?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
