/*
 * Control and direction characters forge headers and lines of mails, and show a text in another order than it is stored
 * in. ZWJ, ZWNJ, LRM and RLM are none of them: names and emoji are written with those.
 */

/** C0, DEL and C1, line and paragraph separator, embeddings, overrides and isolates; as part of a character class. */
const INVALID_IN_LINE = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069`
/** The same but for the tab and whatever ends a line. */
const INVALID_IN_LINES = String.raw`\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069`

/** JSON Schema patterns. Several lines refuse NUL alone: `toLines` drops the rest when they are stored. */
export const ONE_LINE = `^[^${INVALID_IN_LINE}]*$`
export const ONE_LINE_NOT_BLANK = String.raw`^(?!\s*$)[^${INVALID_IN_LINE}]*$`
export const LINES = String.raw`^[^\u0000]*$`
export const LINES_NOT_BLANK = String.raw`^(?![\s\u0085${INVALID_IN_LINES}]*$)[^\u0000]*$`
export const WEB_ADDRESS = String.raw`^https?://[^\s${INVALID_IN_LINE}]+$`
/** A part of a public address, and the name of a folder on disk. */
export const SLUG = '^[a-z0-9]+(-[a-z0-9]+)*$'

export const isOneLine = (text: string) => new RegExp(ONE_LINE, 'u').test(text)

/** For headers, names of files and cells of tables: what stood on several lines stands on one. */
export const toOneLine = (text: string) => toLines(text).replaceAll(/[\t\n]+/g, ' ')

/** Lines end in one way, and no other control or direction character is left. */
export const toLines = (text: string) =>
  text
    .replaceAll(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll(new RegExp(`[${INVALID_IN_LINES}]`, 'g'), '')
