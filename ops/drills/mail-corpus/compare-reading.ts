import { domainToASCII } from 'node:url'
import { sha256 } from './build-email.ts'
import {
  fillPlaceholders,
  type CorpusContext,
  type EmailKind,
  type Expected,
  type ExpectedFile,
} from './expected.ts'

/** The results of a reader, in the terms of this corpus. */
export type EmailReading = {
  from: string | null
  fromName: string
  subject: string
  /** The new text. */
  text: string
  quoted: string
  files: { name: string; type: string; bytes: Uint8Array }[]
  kind: EmailKind
  bounce?: { messageId?: string; returnPath?: string; recipient?: string }
  references: string[]
  recipients: string[]
  isProven: boolean
}

const TEXT_MAX = 10_000
const FILES_MAX = 50
const MADE_BY_READER = new Set(['message.txt', 'email.html', 'message.eml'])
const FORBIDDEN = /[\p{Cc}\p{Bidi_Control}]/u

/** Lists in words how a reading differs; empty if it is right. */
export function compareReading(reading: EmailReading, wanted: Expected, context: CorpusContext) {
  const expected = fillExpected(wanted, context)
  const findings = [...checkStrings(reading)]
  const expect = (isRight: boolean, finding: string) => {
    if (!isRight) findings.push(finding)
  }
  const isWhole = reading.files.length === 1 && reading.files[0]?.name === 'message.eml'
  if (isWhole && expected.mayBeWhole && !expected.isWhole) {
    expect(!reading.isProven || expected.isProven, 'proven')
    return findings
  }
  expect(toAddress(reading.from) === toAddress(expected.from), `from ${reading.from}`)
  expect(matches(reading.fromName, expected.fromName), `name ${reading.fromName}`)
  expect(matches(reading.subject, expected.subject), `subject ${reading.subject.slice(0, 200)}`)
  expect(reading.kind === expected.kind, `kind ${reading.kind}`)
  expect(reading.isProven === expected.isProven, reading.isProven ? 'proven' : 'not proven')
  const isSame = (some: string[], others: string[] | 'any') =>
    others === 'any' || normaliseList(some) === normaliseList(others)
  expect(
    isSame(reading.references, expected.references),
    `references ${normaliseList(reading.references)}`,
  )
  expect(
    isSame(reading.recipients, expected.recipients),
    `recipients ${normaliseList(reading.recipients)}`,
  )
  findings.push(...compareBounce(reading.bounce, expected.bounce))
  expect(isWhole === expected.isWhole, isWhole ? 'only message.eml' : 'not as message.eml')
  if (!isWhole)
    findings.push(...compareWords(reading, expected), ...compareFiles(reading, expected))
  return findings
}

function compareWords(reading: EmailReading, expected: Expected) {
  const text = flatten(reading.text)
  const cut = [reading.quoted, ...findFileTexts(reading, 'message.txt')].map(flatten)
  const anywhere = [reading.text, reading.quoted, ...reading.files.map(decodeFile)].map(flatten)
  const isIn = (texts: string[], words: string) => texts.some((one) => one.includes(flatten(words)))
  return [
    ...expected.words.filter((one) => !isIn([text], one)).map((one) => `missing: ${one}`),
    ...[...(expected.absentWords ?? []), ...expected.quotedWords]
      .filter((one) => isIn([text], one))
      .map((one) => `not new: ${one}`),
    ...expected.quotedWords.filter((one) => !isIn(cut, one)).map((one) => `not quoted: ${one}`),
    ...(expected.wordsAnywhere ?? [])
      .filter((one) => !isIn(anywhere, one))
      .map((one) => `lost: ${one}`),
  ]
}

/** Attachments in order; files that the reader makes itself wherever they are. */
function compareFiles(reading: EmailReading, expected: Expected) {
  const findings: string[] = []
  const isMade = ({ name }: { name: unknown }) => MADE_BY_READER.has(String(name))
  const made = reading.files.filter(isMade)
  const attached = reading.files.filter((file) => !isMade(file))
  for (const file of expected.files) {
    const found = isMade(file)
      ? made.filter(({ name }) => name === file.name)
      : attached.slice(0, 1).filter((one) => !file.isOptional || isFile(one, file))
    if (!isMade(file) && found.length > 0) attached.shift()
    if (found.length > 0 ? !found.some((one) => isFile(one, file)) : !file.isOptional)
      findings.push(
        `file ${String(file.name)}: ${found.map(({ name }) => name).join() || 'missing'}`,
      )
  }
  const isKnown = (name: string) => expected.files.some((file) => file.name === name)
  const more = [...attached, ...made.filter(({ name }) => !isKnown(name))]
  if (!expected.mayHaveMoreFiles && more.length > 0)
    findings.push(`more files: ${more.map(({ name }) => name).join()}`)
  return findings
}

function isFile(file: EmailReading['files'][number], expected: ExpectedFile) {
  const text = expected.words || expected.absentWords ? flatten(decodeFile(file)) : ''
  return (
    matches(file.name, expected.name) &&
    (expected.type === undefined || file.type.toLowerCase() === expected.type) &&
    (expected.size === undefined || file.bytes.length === expected.size) &&
    (expected.sha256 === undefined || sha256(file.bytes) === expected.sha256) &&
    (expected.words ?? []).every((one) => text.includes(flatten(one))) &&
    !(expected.absentWords ?? []).some((one) => text.includes(flatten(one)))
  )
}

function compareBounce(bounce: EmailReading['bounce'], expected: Expected['bounce']) {
  if (!expected) return bounce ? ['a bounce'] : []
  const isSame = (key: 'messageId' | 'returnPath' | 'recipient') =>
    expected[key] !== undefined &&
    normaliseList([bounce?.[key] ?? '']) === normaliseList([expected[key]])
  return [
    ...(isSame('messageId') || isSame('returnPath') ? [] : ['bounce of an unknown email']),
    ...(expected.recipient === undefined || isSame('recipient') ? [] : ['bounce: recipient']),
  ]
}

/** Rules for every string, whatever the email; texts may contain tabs and line ends. */
function* checkStrings({ fromName, subject, text, quoted, files }: EmailReading) {
  const names = files.map(({ name }) => name)
  for (const one of [fromName, subject, text, quoted, ...names]) {
    if (!one.isWellFormed()) yield `a lone surrogate in ${one.slice(0, 40)}`
    if (FORBIDDEN.test(one.replace(/[\t\r\n]/g, ''))) yield `a mark in ${one.slice(0, 40)}`
  }
  for (const one of [fromName, subject, ...names])
    if (/[\r\n]/.test(one)) yield `a line end in ${one.slice(0, 40)}`
  if (text.length > TEXT_MAX) yield `a text of ${text.length} characters`
  if (names.filter((name) => !MADE_BY_READER.has(name)).length > FILES_MAX) yield 'over 50 files'
}

const fillExpected = (expected: Expected, context: CorpusContext): Expected => {
  const fill = (value: string) => fillPlaceholders(value, context)
  const fillAll = (values: string[] | 'any') => (values === 'any' ? values : values.map(fill))
  const bounce = Object.entries(expected.bounce ?? {}).map(([key, value]) => [key, fill(value)])
  return {
    ...expected,
    ...(expected.bounce ? { bounce: Object.fromEntries(bounce) } : {}),
    references: fillAll(expected.references),
    recipients: fillAll(expected.recipients),
  }
}

const findFileTexts = ({ files }: EmailReading, name: string) =>
  files.filter((file) => file.name === name).map(decodeFile)

const decodeFile = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString('utf8')

const flatten = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()

const matches = (text: string, expected: string | RegExp) =>
  typeof expected === 'string'
    ? flatten(text) === flatten(expected)
    : expected.test(text.replace(/\s+/g, ' ').trim())

const normaliseList = (values: string[]) =>
  [...new Set(values.map((one) => one.replace(/^<|>$/g, '').toLowerCase()))].toSorted().join(' ')

function toAddress(address: string | null) {
  if (address === null) return null
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase()
}
