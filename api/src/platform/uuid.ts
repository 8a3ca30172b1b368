import { v7 } from 'uuid'

/** UUIDv7: ordered by time, even within a millisecond. */
export const newId = () => v7()

/** Any UUID version, as PostgreSQL accepts it; also a JSON Schema pattern. */
export const UUID_PATTERN =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

const UUID = new RegExp(UUID_PATTERN)

export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text)
