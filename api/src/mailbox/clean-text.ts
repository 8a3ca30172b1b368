import { toLines, toOneLine } from '@gatehouse/model'

/** `toLines` keeps LRM and RLM, which people type on purpose; what an email brings nobody here typed. */
const DIRECTION_MARKS = /\p{Bidi_Control}/gu

/** No control or direction marks: NUL breaks PostgreSQL, and U+202E turns a name around. */
export const cleanLines = (text: string) => toLines(withoutMarks(text))

export const cleanLine = (text: string, max: number) =>
  cutText(toOneLine(withoutMarks(text)).replaceAll(/\s+/g, ' ').trim(), max)

const withoutMarks = (text: string) => text.toWellFormed().replaceAll(DIRECTION_MARKS, '')

/** At most so many UTF-16 units, by whole characters. */
export function cutText(text: string, max: number) {
  if (text.length <= max) return text
  const isBetweenSurrogates = /[\uD800-\uDBFF]/.test(text.charAt(max - 1))
  return text.slice(0, isBetweenSurrogates ? max - 1 : max)
}
