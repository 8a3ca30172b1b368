import type { Visitor } from '@gatehouse/model'
import { Link } from 'react-router'
import { canDo, type Definition } from '#data/definitions.ts'
import { readingFieldOf, readingPath, VIEW_PAGE } from '#data/reading.ts'
import type { RecordData } from '#data/records.ts'
import { recordMessages } from '#messages/record.ts'

type Props = { definition: Definition; visitor: Visitor; record?: RecordData }

/** To the page that visitors get at this address, for those who get list and record instead. */
export function ViewPageLink({ definition, visitor, record }: Props) {
  const by = readingFieldOf(definition)
  if (by === undefined || !canDo(definition, 'update', visitor)) return null
  const path = record
    ? readingPath(definition.path, String(record[by]))
    : `/${definition.path.toLowerCase()}`
  return (
    <Link className="btn btn-secondary btn-sm" to={`${path}?${VIEW_PAGE}`}>
      {recordMessages.viewPage}
    </Link>
  )
}
