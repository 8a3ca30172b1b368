import { toLines, toOneLine } from '@gatehouse/model'

/** No control or direction marks: NUL breaks PostgreSQL, and U+202E turns a name around. */
export const cleanLines = (text: string) => toLines(text.toWellFormed())

export const cleanLine = (text: string, max: number) =>
  cutText(toOneLine(text.toWellFormed()).replaceAll(/\s+/g, ' ').trim(), max)

/** At most so many UTF-16 units, by whole characters. */
export function cutText(text: string, max: number) {
  if (text.length <= max) return text
  const isBetweenSurrogates = /[\uD800-\uDBFF]/.test(text.charAt(max - 1))
  return text.slice(0, isBetweenSurrogates ? max - 1 : max)
}
