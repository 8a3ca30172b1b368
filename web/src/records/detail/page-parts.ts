import type { Visitor } from '@gatehouse/model'
import { definitionAt, type Definition } from '#data/definitions.ts'
import { columnsToChoose } from '#records/query/columns.ts'
import type { Deferred } from '#records/shared/deferred.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'
import { openFeeds, type Feed } from '#records/timeline/feeds.ts'
import { pageLayoutOf, type PageLayout } from './page-layout.ts'
import { readAbout, readAboutWithRelated, readRelated, type Opened } from './about.ts'

type OpenedRecord = Opened & { record: RecordData }

export type SectionedParts = Extract<ReturnType<typeof readPageParts>, { kind: 'sections' }>
export type RelatedSection = SectionedParts['related'][number]

/** What a record page loads beside the record: as its model says, or everything that refers to it. */
export function readPageParts(
  definition: Definition,
  visitor: Visitor,
  opened: OpenedRecord | null,
) {
  const layout = pageLayoutOf(definition)
  const { sections } = layout
  if (!sections)
    return {
      kind: 'plain' as const,
      about: opened && readAboutWithRelated(definition, opened.record, opened),
    }
  return {
    kind: 'sections' as const,
    layout,
    sections,
    about: opened && readAbout(definition, opened),
    related: opened ? readRelatedSections(layout, opened) : [],
    feeds: opened && visitor ? readFeeds(definition, layout, opened) : null,
  }
}

const readFeeds = (
  definition: Definition,
  { timeline }: PageLayout,
  { id, signal }: Opened,
): Deferred<Feed[]> => openFeeds({ definition, id, signal }, timeline).catch(() => null)

const readRelatedSections = ({ related }: PageLayout, { record, signal }: OpenedRecord) =>
  related.flatMap(({ model, by, columns }, place) => {
    const definition = definitionAt(model)
    if (!definition) return []
    const offered = columnsToChoose(definition)
    return [
      {
        id: `related-${place + 1}`,
        definition,
        by,
        /** Set if several lists show the same model. */
        byLabel: related.some((other) => other.model === model && other.by !== by)
          ? definition.viewData.fields.find(({ name }) => name === by)?.label
          : undefined,
        columns: columns.flatMap((name) => offered.find((field) => field.name === name) ?? []),
        ...readRelated(definition, by, record['id'], signal),
      },
    ]
  })
