import type { Head } from '#layout/head.ts'
import { readingPath } from '#data/reading.ts'
import { headMessages } from '#messages/heads.ts'
import type { ReadingData } from './reading-data.ts'

const FEED_MODEL = 'articles'

export function readingHead(data: ReadingData): Head {
  return {
    title: headMessages.title(data.title),
    description: descriptionOf(data) || data.title,
    canonical:
      'recordKey' in data
        ? readingPath(data.model, data.recordKey)
        : `/${data.model.toLowerCase()}`,
    hasFeed: data.model === FEED_MODEL,
  }
}

function descriptionOf(data: ReadingData) {
  switch (data.reading) {
    case 'services':
      return headMessages.descriptions.services
    case 'articles':
      return headMessages.descriptions.articles
    case 'service':
      return data.service.summary
    case 'article':
      return data.article.summary
    case 'record':
      return data.lead
    case 'records':
      return data.title
  }
}
