import { canDo, type Model } from '@gatehouse/model'
import { toDefinitions } from '#engine/http/definitions.ts'
import type { Site } from '#platform/site-config.ts'

const ANONYMOUS = null

/** Definitions for documents, as GET /api/models answers anonymous callers: of models that they may list, in menu or with pages. */
export const publicDefinitions = (models: readonly Model[], site: Site): unknown[] => {
  const shown = models.filter(
    (model) => canDo(model, 'list', ANONYMOUS) && (model.menu || Boolean(model.pages)),
  )
  // As they are once parsed: without keys that are undefined.
  return JSON.parse(JSON.stringify(toDefinitions(shown, { models, site, visitor: ANONYMOUS })))
}
