import { articles } from '@gatehouse/model/models'
import { defineBehaviour } from '#engine/behaviour.ts'

/** A published article always has a date, because the list is sorted by it: that of the first publication, unless staff gave one. */
export const articleBehaviour = defineBehaviour(articles, {
  before: {
    create: ({ record: { published, publishedAt }, context: { now } }) =>
      published && !publishedAt ? { publishedAt: now } : undefined,
    update: ({ record: { published, publishedAt }, previous, context: { now } }) =>
      published && !publishedAt ? { publishedAt: previous.publishedAt ?? now } : undefined,
  },
})
