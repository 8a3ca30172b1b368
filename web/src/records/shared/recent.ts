import type { Visitor } from '@gatehouse/model'
import { addRecent } from '#base/recent-records.ts'
import type { Definition } from '#data/definitions.ts'

/** Offers the record in the palette. Other servers' records are not: the palette doesn't find them either. */
export function addToRecent(definition: Definition, visitor: Visitor, id: string) {
  if (visitor && definition.trash) addRecent(visitor.sub, { model: definition.path, id })
}
