/** As PostgreSQL reads one, whatever its version; a JSON Schema pattern too. */
export const UUID_PATTERN =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

const UUID = new RegExp(UUID_PATTERN)

export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text)
