type Group = { [key: string]: unknown }

const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Messages with a site's overrides; an unknown key fails the build. */
export function override<T extends object>(messages: T, own: object, path: string): T {
  const result: Group = { ...(messages as Group) }
  for (const [key, value] of Object.entries(own)) {
    const given = result[key]
    const place = `${path}.${key}`
    if (given === undefined) throw new Error(`There is no message ${place}`)
    if (typeof given !== typeof value || isGroup(given) !== isGroup(value))
      throw new Error(`${place} must be a ${isGroup(given) ? 'group of messages' : typeof given}`)
    result[key] = isGroup(given) && isGroup(value) ? override(given, value, place) : value
  }
  return result as T
}
