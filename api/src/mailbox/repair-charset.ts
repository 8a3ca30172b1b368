import { isUtf8 } from 'node:buffer'
import libmime from 'libmime'
import { isKnownCharset } from './decode-words.ts'

/** Content-Type of a text part, with the lines that continue it. */
const TEXT_TYPE =
  /^(content-type:[ \t]*(?:\r?\n[ \t]+)?text\/(?:plain|html)\b)([^\n]*(?:\n[ \t][^\n]*)*)/gim
const CHARSET = /;\s*charset\s*=\s*(?:"([^"\n]*)"?|([^";\s]+))/i
/** What programs leave around the name, like the semicolon of `"UTF8;"`. */
const UNTIDY = /^[^a-z0-9]+|[^a-z0-9]+$/gi
/** What programs write that don't know: many of them send UTF-8, the others Windows-1252. */
const VAGUE = /^(?:us-ascii|ascii|ansi_x3\.4-1968|unknown(?:-8bit)?|x-unknown|default|8bit)$/i
const UTF_8 = /^utf-?8$/i

/** A charset that turns each byte above 127 into one character of a private range, so that it can be turned back. */
const BYTES = 'x-user-defined'
const HIGH_BYTES = /[\uF780-\uF7FF]+/g
const HIGH_BIT = 0x80
const PIECE_BYTES = 1_000_000
/** No Content-Type is longer. */
const OVERLAP_BYTES = 8_000
const ANY_BYTES = /[\p{ASCII}\uF780-\uF7FF]+/gu

/** Decodes text that was parsed as bytes. Null if the declared charset is known and fits. */
export function charsetDecoderFor(email: Buffer, text: string) {
  const charsets = declaredCharsets(email)
  const unknown = new Set(charsets.filter((name) => !VAGUE.test(name) && !isKnownCharset(name)))
  const [only = ''] = unknown
  // Of several ones it would not be known which part is in which.
  if (unknown.size === 1) return (bytes: string) => decodeAs(only.replaceAll(UNTIDY, ''), bytes)
  if (!/\P{ASCII}/u.test(text)) return null
  const isWrong = text.includes('\uFFFD') || charsets.some((name) => VAGUE.test(name))
  const isReplaceable = charsets.every((name) => VAGUE.test(name) || UTF_8.test(name))
  return isWrong && isReplaceable ? decodeGuessed : null
}

/** The first of two equal parameters counts, and the first of two equal fields. */
export function withBytesAsText(email: Buffer) {
  const source = email.toString('latin1')
  const relabelled = source.replaceAll(TEXT_TYPE, `$1; charset=${BYTES}$2`)
  const isUntyped = !/^content-type:/im.test(source)
  const field = isUntyped ? `Content-Type: text/plain; charset=${BYTES}\r\n` : ''
  return Buffer.from(field + relabelled, 'latin1')
}

function declaredCharsets(email: Buffer) {
  const charsets: string[] = []
  // In pieces: a copy of an email of 40 MB as text is 40 MB more.
  for (let start = 0; start < email.length; start += PIECE_BYTES)
    for (const [, , parameters = ''] of email
      .toString('latin1', start, start + PIECE_BYTES + OVERLAP_BYTES)
      .matchAll(TEXT_TYPE))
      charsets.push(charsetIn(parameters) || 'utf-8')
  return charsets
}

function charsetIn(parameters: string) {
  const [, quoted, token = ''] = CHARSET.exec(parameters) ?? []
  return (quoted ?? token).trim()
}

type Shift = { start: string; end: string; charset: string }

/** Charsets of seven bits in which signs switch to characters of two bytes. No decoder at hand knows them. */
const SHIFTS: Record<string, Shift> = {
  'hz-gb-2312': { start: '~{', end: '~}', charset: 'gb2312' },
  'iso-2022-kr': { start: '\u000E', end: '\u000F', charset: 'euc-kr' },
}

function decodeShifted(text: string, { start, end, charset }: Shift) {
  const decoder = new TextDecoder(charset)
  const [plain = '', ...parts] = text.replaceAll('\u001B$)C', '').split(start)
  const decoded = parts.map((part) => {
    const [shifted = '', ...rest] = part.split(end)
    return decoder.decode(toBytes(shifted).map((byte) => byte | HIGH_BIT)) + rest.join(end)
  })
  return plain + decoded.join('')
}

function decodeAs(charset: string, text: string) {
  const shift = SHIFTS[charset.toLowerCase()]
  if (shift) return decodeShifted(text, shift)
  const decoded = text.replaceAll(ANY_BYTES, (run) =>
    libmime.decodeWord(charset, 'B', toBytes(run).toString('base64')),
  )
  return decoded.includes('\uFFFD') ? decodeGuessed(text) : decoded
}

/** Characters of several bytes stand together, so each run can be judged alone. */
const decodeGuessed = (text: string) =>
  text.replaceAll(HIGH_BYTES, (run) => {
    const bytes = toBytes(run)
    return isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes)
  })

const toBytes = (run: string) => Buffer.from(run, 'latin1')
