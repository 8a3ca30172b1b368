import { articles } from '@gatehouse/model/models'
import { defineBehaviour } from '#engine/behaviour.ts'

/** The first publication dates an article, unless it has a date. */
export const articleBehaviour = defineBehaviour(articles, {
  before: {
    create: ({ record: { published, publishedAt }, context: { now } }) =>
      published && !publishedAt ? { publishedAt: now } : undefined,
    update: ({ record: { published, publishedAt }, previous, context: { now } }) =>
      published && !previous.published && !publishedAt ? { publishedAt: now } : undefined,
  },
})
