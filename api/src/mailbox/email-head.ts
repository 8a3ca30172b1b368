import { isUtf8 } from 'node:buffer'

/** Names in lower case, values unfolded, in the order of the email. */
type Field = { name: string; value: string }

export type EmailHead = ReturnType<typeof readHead>

const HEAD_MAX = 256 * 1024
const FIELD_MAX = 8_000
/** A name, a colon, and anything. */
const FIELD = /^([!-9;-~]{1,200})[ \t]*:([^]*)$/
/** Left out of a head that is too long. */
const DISPENSABLE = /^(?:received|x-received|arc-[a-z-]+|dkim-signature)[ \t]*:/i
/** Never left out for its length: a second sender must not vanish. */
const SENDER = /^from[ \t]*:/i
/** All that is read of a head of thousands of fields. */
const READ =
  /^(?:from|to|cc|subject|date|message-id|in-reply-to|references|return-path|delivered-to|x-original-to|authentication-results|content-[a-z-]+|mime-version|auto-submitted|precedence|list-id|list-unsubscribe|x-auto[a-z-]+|x-loop|x-failed-recipients)[ \t]*:/i

const LF = 0x0a
const CR = 0x0d
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/**
 * The email with a head that parsers read alike: line feeds instead of lone carriage returns, nothing above the first field, an
 * empty line below the last one, and at most 256 kB. The same bytes if nothing differs, so that a large email isn't copied.
 */
export function withReadableHead(raw: Buffer): Buffer {
  const bytes = withLineFeeds(raw)
  const start = startOfHead(bytes)
  const { end, bodyStart } = findHead(bytes, start)
  const [isShort, hasEmptyLine] = [end - start <= HEAD_MAX, bodyStart > end]
  if (start === 0 && isShort && hasEmptyLine) return bytes
  const head = bytes.subarray(start, end)
  return Buffer.concat([
    isShort ? head : shortenHead(head),
    Buffer.from(hasEmptyLine ? '' : '\r\n\r\n'),
    bytes.subarray(end),
  ])
}

/** Of an email whose head was made readable. */
export function readHead(email: Buffer) {
  const { end, bodyStart } = findHead(email, 0)
  const fields = unfoldLines(email.subarray(0, end)).flatMap((line) => toField(line) ?? [])
  return {
    all: (name: string) => valuesOf(fields, name),
    first: (name: string) => valuesOf(fields, name)[0] ?? null,
    bodyStart,
  }
}

const valuesOf = (fields: readonly Field[], name: string) =>
  fields.filter((field) => field.name === name).map(({ value }) => value)

function toField(line: Buffer): Field | null {
  const [, name, value = ''] = FIELD.exec(decodeLine(line)) ?? []
  if (!name) return null
  const unfolded = value.replaceAll(/\r*\n(?=[ \t])/g, '').replaceAll(/[\r\n]+/g, ' ')
  return { name: name.toLowerCase(), value: unfolded.trim() }
}

/** Programs that write umlauts without saying how mean one of both. Windows-1252 has a character for each byte. */
const decodeLine = (line: Uint8Array) =>
  new TextDecoder(isUtf8(line) ? 'utf-8' : 'windows-1252', { ignoreBOM: true }).decode(line)

/** `end`: after the last field. `bodyStart`: the same if no empty line separates them. */
function findHead(bytes: Buffer, start: number) {
  const { lineStart, next } = findEmptyLine(bytes, start)
  const end = endOfFields(bytes, start, lineStart)
  return { end, bodyStart: end < lineStart ? end : next }
}

function findEmptyLine(bytes: Buffer, start: number) {
  for (let lineStart = start; ;) {
    const lineEnd = bytes.indexOf(LF, lineStart)
    if (lineEnd < 0) return { lineStart: bytes.length, next: bytes.length }
    if (isCarriageReturns(bytes.subarray(lineStart, lineEnd)))
      return { lineStart, next: lineEnd + 1 }
    lineStart = lineEnd + 1
  }
}

const isCarriageReturns = (line: Buffer) => line.every((byte) => byte === CR)

/** Lines below the last field are of the body: their program forgot the empty line. */
function endOfFields(bytes: Buffer, start: number, end: number) {
  for (let lineEnd = end; lineEnd > start;) {
    const lineStart = Math.max(start, bytes.subarray(0, lineEnd - 1).lastIndexOf(LF) + 1)
    const line = bytes.subarray(lineStart, Math.min(lineEnd, lineStart + FIELD_MAX))
    if (isFolded(line) || FIELD.test(line.toString('latin1'))) return lineEnd
    lineEnd = lineStart
  }
  return start
}

const isFolded = (line: Buffer) => line[0] === 0x20 || line[0] === 0x09

/** Fields with the lines that continue them. */
function unfoldLines(head: Buffer) {
  const lines: Buffer[] = []
  for (let start = 0; start < head.length;) {
    let end = endOfLine(head, start)
    while (end < head.length && isFolded(head.subarray(end))) end = endOfLine(head, end)
    lines.push(head.subarray(start, end))
    start = end
  }
  return lines
}

function endOfLine(bytes: Buffer, start: number) {
  const lineEnd = bytes.indexOf(LF, start)
  return lineEnd < 0 ? bytes.length : lineEnd + 1
}

function shortenHead(head: Buffer) {
  const lines = unfoldLines(head).map((line) => ({ line, text: line.toString('latin1') }))
  const kept = lines.filter(
    ({ text }) => SENDER.test(text) || (text.length < FIELD_MAX && !DISPENSABLE.test(text)),
  )
  const size = kept.reduce((sum, { text }) => sum + text.length, 0)
  const read = size <= HEAD_MAX ? kept : kept.filter(({ text }) => READ.test(text))
  const short = Buffer.concat(read.map(({ line }) => line))
  if (short.length <= HEAD_MAX) return short
  return short.subarray(0, short.lastIndexOf(LF, HEAD_MAX) + 1)
}

/** Byte order mark and empty lines. */
function startOfHead(bytes: Buffer) {
  let at = bytes.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0
  while (bytes[at] === LF || bytes[at] === CR) at++
  return at
}

/** Only for an email that has none at all. */
function withLineFeeds(raw: Buffer) {
  if (raw.includes(LF) || !raw.includes(CR)) return raw
  const bytes = Buffer.from(raw)
  for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) bytes[at] = LF
  return bytes
}
