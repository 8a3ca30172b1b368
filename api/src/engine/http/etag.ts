import type { FastifyRequest } from 'fastify'
import type { RecordRow } from '#engine/compiled.ts'
import type { ExpectedVersions } from '#engine/write/save.ts'

/** A record's version as an entity tag. */
export const toETag = ({ version }: RecordRow) => `"${version}"`

/** The versions that If-Match names; undefined without the header. */
export function readIfMatch({ headers }: Pick<FastifyRequest, 'headers'>): ExpectedVersions {
  const header = headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return 'any'
  // Compressing proxies weaken ETags; ours name a version, so a weak match is exact enough.
  const tags = header.split(',').map((tag) => TAG.exec(tag.trim())?.[1])
  return tags.filter((version) => version !== undefined).map(Number)
}

const TAG = /^(?:W\/)?"([1-9]\d*)"$/
