type Group = { [key: string]: unknown }

const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Messages with a site's overrides; an unknown key fails the build. */
export function overrideMessages<T extends object>(messages: T, own: object, path: string): T {
  const result: Group = { ...(messages as Group) }
  for (const [key, value] of Object.entries(own)) {
    const given = result[key]
    const place = `${path}.${key}`
    if (given === undefined) throw new Error(`There is no message ${place}`)
    if (typeof given !== typeof value || isGroup(given) !== isGroup(value))
      throw new Error(`${place} must be a ${isGroup(given) ? 'group of messages' : typeof given}`)
    result[key] = isGroup(given) && isGroup(value) ? overrideMessages(given, value, place) : value
  }
  return result as T
}

/** Messages with every key optional, recursively. */
export type Partly<T> = T extends readonly unknown[] | ((...args: never[]) => unknown)
  ? T
  : T extends object
    ? { [Key in keyof T]?: Partly<T[Key]> }
    : T
