/*
 * Control and bidi characters can forge mail headers and lines, and reorder displayed text. ZWJ, ZWNJ, LRM and RLM are
 * allowed: names and emoji need them.
 */

/** C0, DEL and C1, line and paragraph separator, embeddings, overrides and isolates; as part of a character class. */
const INVALID_IN_LINE = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069`
/** The same without tab and line breaks. */
const INVALID_IN_LINES = String.raw`\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069`

/** JSON Schema patterns. Multi-line text rejects only NUL: `toLines` strips the rest on save. */
export const ONE_LINE = `^[^${INVALID_IN_LINE}]*$`
export const ONE_LINE_NOT_BLANK = String.raw`^(?!\s*$)[^${INVALID_IN_LINE}]*$`
export const LINES = String.raw`^[^\u0000]*$`
export const LINES_NOT_BLANK = String.raw`^(?![\s\u0085${INVALID_IN_LINES}]*$)[^\u0000]*$`
export const WEB_ADDRESS = String.raw`^https?://[^\s${INVALID_IN_LINE}]+$`
/** A segment of a public URL, and a folder name on disk. */
export const SLUG = '^[a-z0-9]+(-[a-z0-9]+)*$'

export const isOneLine = (text: string) => new RegExp(ONE_LINE, 'u').test(text)

/** Joins lines, for headers, file names and table cells. */
export const toOneLine = (text: string) => toLines(text).replaceAll(/[\t\n]+/g, ' ')

/** Normalises line breaks and strips other control and bidi characters. */
export const toLines = (text: string) =>
  text
    .replaceAll(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll(new RegExp(`[${INVALID_IN_LINES}]`, 'g'), '')
