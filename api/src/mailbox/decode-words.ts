import libmime from 'libmime'
import { decodeWords as decodeKnownWords } from 'postal-mime'

/** A charset of an encoded word (RFC 2047). */
const CHARSET = /=\?([^?*\s]+)(?:\*[^?]*)?\?[bq]\?/gi
/** Beyond it nobody reads a subject or a name. */
const FIELD_MAX = 10_000

/** A subject or name. postal-mime joins words as the standard wants, but takes charsets it doesn't know for Windows-1252. */
export function decodeWords(field: string) {
  const value = field.slice(0, FIELD_MAX)
  const decoded = decodeKnownWords(value)
  const isDecoded = !decoded.includes('\uFFFD') && charsetsOf(value).every(isKnownCharset)
  return isDecoded ? decoded : betterOf(decoded, libmime.decodeWords(value))
}

const charsetsOf = (value: string) => [...value.matchAll(CHARSET)].map(([, name = '']) => name)

/** Whether the platform, and so postal-mime, can decode it. */
export function isKnownCharset(name: string) {
  try {
    return new TextDecoder(name.trim()).encoding !== ''
  } catch {
    return false
  }
}

const betterOf = (one: string, other: string) =>
  replacementsIn(other) <= replacementsIn(one) ? other : one

const replacementsIn = (text: string) => text.split('\uFFFD').length
