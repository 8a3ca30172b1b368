import { createCipheriv, createHash } from 'node:crypto'
import { DESK } from './expected.ts'

export type Content = string | Uint8Array

export const CRLF = '\r\n'
export const ERIKA = 'Erika Muster <erika@client.example>'
/** As written by the receiving server of the desk. */
export const PASS = 'mx.desk.example; dmarc=pass (p=reject) header.from=client.example'

/** Null leaves the line out. */
export type HeadOptions = {
  /** Empty for `<>`. */
  returnPath?: string | null
  deliveredTo?: string | null
  results?: Content | null
  date?: string | null
  from?: Content | null
  to?: Content | null
  subject?: Content | null
  messageId?: string | null
  /** Further lines. */
  more?: Content[]
}

type PartOptions = {
  type?: string
  encoding?: '7bit' | '8bit' | 'binary' | 'base64' | 'quoted-printable'
  disposition?: string
  headers?: string[]
}

export const concatBytes = (...contents: Content[]) =>
  Buffer.concat(contents.map((one) => (typeof one === 'string' ? Buffer.from(one) : one)))

export const toCrlf = (text: string) => text.replaceAll('\n', CRLF)

export const sha256 = (content: Content) => createHash('sha256').update(content).digest('hex')

/** Deterministic bytes that do not compress. */
export function seededBytes(seed: string, length: number) {
  const key = createHash('sha256').update(seed).digest().subarray(0, 16)
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length))
}

/** A complete email: the head of the receiving server and of the sender, then the body's own headers and bytes. */
export function buildEmail(options: HeadOptions, ...body: Content[]) {
  const content = concatBytes(...body)
  const hash = sha256(concatBytes(JSON.stringify(options), content.subarray(0, 64_000)))
  return concatBytes(
    buildHead({ messageId: `${hash.slice(0, 20)}@client.example`, ...options }),
    content,
  )
}

export function buildHead({
  returnPath = 'erika@client.example',
  deliveredTo = DESK,
  results = PASS,
  date = 'Mon, 2 Nov 2026 10:00:00 +0100',
  from = ERIKA,
  to = DESK,
  subject = 'The gate is stuck',
  messageId = null,
  more = [],
}: HeadOptions = {}) {
  const line = (name: string, value: Content | null) =>
    value === null ? [] : [`${name}: `, value, CRLF]
  return concatBytes(
    ...line('Return-Path', returnPath === null ? null : `<${returnPath}>`),
    ...line('Delivered-To', deliveredTo),
    ...line('Authentication-Results', results),
    ...line('Received', `from mail.client.example by mx.desk.example;${CRLF}\t${date ?? ''}`),
    ...line('Date', date),
    ...line('From', from),
    ...line('To', to),
    ...line('Subject', subject),
    ...line('Message-ID', messageId === null ? null : `<${messageId}>`),
    ...line('MIME-Version', '1.0'),
    ...more.flatMap((one) => [one, CRLF]),
  )
}

/** Headers, an empty line and the content, encoded. */
export function buildPart(
  content: Content,
  {
    type = 'text/plain; charset=utf-8',
    encoding = '8bit',
    disposition,
    headers = [],
  }: PartOptions = {},
) {
  const lines = [
    `Content-Type: ${type}`,
    `Content-Transfer-Encoding: ${encoding}`,
    ...(disposition ? [`Content-Disposition: ${disposition}`] : []),
    ...headers,
  ]
  const bytes = concatBytes(content)
  if (encoding === 'base64') return buildRawPart(lines, encodeBase64(bytes))
  return buildRawPart(lines, encoding === 'quoted-printable' ? encodeQuotedPrintable(bytes) : bytes)
}

/** Headers and bytes exactly as given. */
export const buildRawPart = (headers: Content[], body: Content) =>
  concatBytes(...headers.flatMap((one) => [one, CRLF]), CRLF, body)

export const buildHtmlPart = (content: Content) =>
  buildPart(content, { type: 'text/html; charset=utf-8' })

export const buildAttachment = (
  name: string,
  content: Content,
  type = 'application/octet-stream',
) =>
  buildPart(content, {
    type: `${type}; name="${name}"`,
    encoding: 'base64',
    disposition: `attachment; filename="${name}"`,
  })

/** A picture that HTML shows by `cid:`. */
export const buildPicture = (name: string, id: string, content: Content, type = 'image/png') =>
  buildPart(content, {
    type: `${type}; name="${name}"`,
    encoding: 'base64',
    disposition: `inline; filename="${name}"`,
    headers: [`Content-ID: <${id}>`],
  })

export function buildMultipart(
  subtype: string,
  parts: Content[],
  { boundary = boundaryOf(parts), parameters = '' } = {},
) {
  return concatBytes(
    `Content-Type: multipart/${subtype}; boundary="${boundary}"${parameters}${CRLF}${CRLF}`,
    ...parts.flatMap((one) => [`--${boundary}${CRLF}`, one, CRLF]),
    `--${boundary}--${CRLF}`,
  )
}

/** An encoded word of RFC 2047; `bytes` are in the charset. */
export function encodeWord(charset: string, bytes: Content, encoding: 'B' | 'Q' = 'B') {
  const content = concatBytes(bytes)
  const text =
    encoding === 'B'
      ? content.toString('base64')
      : content
          .toString('latin1')
          .replace(/[^\w ]|_/g, escapeCharacter)
          .replaceAll(' ', '_')
  return `=?${charset}?${encoding}?${text}?=`
}

export const encodeBase64 = (bytes: Uint8Array) =>
  Buffer.from(bytes).toString('base64').replace(/.{76}/g, `$&${CRLF}`)

const encodeQuotedPrintable = (bytes: Uint8Array) =>
  escapeBytes(bytes)
    .split(CRLF)
    .map((line) => (line.match(/(?:=[\dA-F]{2}|.){1,24}/g) ?? []).join(`=${CRLF}`))
    .join(CRLF)

const escapeBytes = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^\r\n -~]|=| (?=\r?\n|$)/g, escapeCharacter)

const escapeCharacter = (one: string) =>
  `=${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

const boundaryOf = (parts: Content[]) =>
  `part-${sha256(concatBytes(...parts.map((one) => sha256(one)))).slice(0, 16)}`
