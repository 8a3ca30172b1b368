import { describe, expect, test } from 'vitest'
import { sha256 } from './build-email.ts'
import { compareReading, type EmailReading } from './compare-reading.ts'
import { DESK, PERSON, type CorpusContext, type Expected } from './expected.ts'
import { FIRST_EMAILS, MAIL_CORPUS } from './index.ts'
import { OUR_WORDS, REPLY } from './reply-text.ts'

const BYTES_MAX = 40_000_000
const WHOLE_MAX = 5
const RESERVED = /\.(example|test|invalid)$/i
const HOST = /(?:@|https?:\/\/|header\.[a-z]+=)((?:[a-z\d-]+\.)+[a-z][a-z\d-]*)/gi
const PUBLIC_NAME = /\b[a-z\d-]+\.(com|net|org|io|eu|de|uk|dev|app)\b/i

const CONTEXT: CorpusContext = {
  replyAddress: 'desk+42.abcdefghijklmnop@desk.example',
  messageId: '7.42.bcdefghijklmnopq@desk.example',
  returnPath: 'desk+b.abcdefghijklmnopqrstuvwxyz.cdefghijklmnopqr@desk.example',
  otherTicketReplyAddress: 'desk+43.defghijklmnopqrs@desk.example',
}

const namesWhere = (matches: (expected: Expected) => boolean) =>
  MAIL_CORPUS.filter(({ expected }) => matches(expected)).map(({ name }) => name)

describe('the corpus of emails', () => {
  test('has 200 emails with unique names, 132 beyond the first 68', () => {
    expect(MAIL_CORPUS).toHaveLength(200)
    expect(new Set(MAIL_CORPUS.map(({ name }) => name)).size).toBe(200)
    expect(FIRST_EMAILS).toHaveLength(68)
    expect(MAIL_CORPUS.filter((email) => !FIRST_EMAILS.includes(email))).toHaveLength(132)
  })

  test('builds different emails, each under 40 MB and the same bytes every time', () => {
    const hashes = MAIL_CORPUS.map(({ name, raw }) => {
      const bytes = raw(CONTEXT)
      expect(bytes.length, name).toBeLessThan(BYTES_MAX)
      const hash = sha256(bytes)
      expect(sha256(raw(CONTEXT)), name).toBe(hash)
      return hash
    })
    expect(new Set(hashes).size).toBe(200)
  })

  test('names no host outside the reserved domains', () => {
    const hosts = MAIL_CORPUS.flatMap(({ raw }) => {
      const text = raw(CONTEXT).toString('latin1').replaceAll('=\r\n', '')
      const found = Array.from(text.matchAll(HOST), ([, host = '']) => host)
      return [
        ...new Set(found.filter((host) => !RESERVED.test(host))),
        ...(PUBLIC_NAME.exec(text) ?? []),
      ]
    })
    expect(hosts).toEqual([])
  })

  test('lets a reader keep at most five emails whole', () => {
    expect(namesWhere(({ mayBeWhole }) => mayBeWhole === true).length).toBeLessThanOrEqual(
      WHOLE_MAX,
    )
    expect(namesWhere(({ isWhole, mayBeWhole }) => isWhole && !mayBeWhole)).toEqual([])
  })

  test('expects a bounce of bounces only, and proof of known senders only', () => {
    const isBounce = ({ kind }: Expected) => kind.startsWith('bounce')
    expect(namesWhere((one) => isBounce(one) !== (one.bounce !== undefined))).toEqual([])
    expect(
      namesWhere(({ bounce }) => bounce !== undefined && !bounce.messageId && !bounce.returnPath),
    ).toEqual([])
    expect(namesWhere(({ from, isProven }) => from === null && isProven)).toEqual([])
    expect(namesWhere(({ from, kind }) => from === DESK && kind !== 'own')).toEqual([])
    expect(new Set(MAIL_CORPUS.map(({ expected }) => expected.kind)).size).toBe(5)
  })

  test('expects no phrase to be both new and cut', () => {
    const isTorn = ({ words, quotedWords, absentWords = [] }: Expected) =>
      [...quotedWords, ...absentWords].some((cut) => words.some((word) => word.includes(cut)))
    expect(namesWhere(isTorn)).toEqual([])
  })
})

const buildReading = (changes: Partial<EmailReading> = {}): EmailReading => ({
  from: 'Erika@Client.example',
  fromName: 'Erika  Muster',
  subject: 'Re: Gate',
  text: 'The green lamp\nis lit now.',
  quoted: `> ${OUR_WORDS.join('\n')}`,
  files: [{ name: 'a.txt', type: 'text/plain', bytes: Buffer.from('a') }],
  kind: 'person',
  references: [`<${CONTEXT.messageId}>`],
  recipients: [CONTEXT.replyAddress.toUpperCase()],
  isProven: true,
  ...changes,
})

const EXPECTED: Expected = {
  ...REPLY,
  words: ['The green lamp is lit now.'],
  quotedWords: OUR_WORDS,
  files: [
    { name: 'b.txt', isOptional: true },
    { name: 'a.txt', sha256: sha256('a') },
  ],
}

describe('the comparison of a reading', () => {
  test('accepts other white space, capitals, angle brackets and missing optional files', () => {
    expect(compareReading(buildReading(), EXPECTED, CONTEXT)).toEqual([])
  })

  test.each<[string, Partial<EmailReading>]>([
    ['another sender', { from: 'mallory@evil.example' }],
    ['an unknown sender', { from: null }],
    ['a quote among the new words', { text: `The green lamp is lit now. ${OUR_WORDS.join(' ')}` }],
    ['a lost quote', { quoted: '' }],
    ['a missing file', { files: [] }],
    [
      'other bytes of a file',
      { files: [{ ...buildReading().files[0]!, bytes: Buffer.from('b') }] },
    ],
    ['a file too many', { files: [...buildReading().files, ...buildReading().files] }],
    ['another kind', { kind: 'automatic' }],
    ['no proof', { isProven: false }],
    ['a missing reference', { references: [] }],
    ['a recipient too many', { recipients: [CONTEXT.replyAddress, DESK] }],
    ['a mark of direction', { fromName: 'Erika \u202eMuster' }],
    ['a lone surrogate', { quoted: `${OUR_WORDS.join(' ')} \ud83d` }],
    [
      'the whole email as a file',
      { files: [{ name: 'message.eml', type: '', bytes: Buffer.from('') }] },
    ],
    ['a bounce that is none', { bounce: { messageId: CONTEXT.messageId } }],
  ])('reports %s', (_, changes) => {
    expect(compareReading(buildReading(changes), EXPECTED, CONTEXT)).not.toEqual([])
  })

  test('accepts the whole email as a file where that is allowed', () => {
    const whole = buildReading({
      from: null,
      isProven: false,
      files: [{ name: 'message.eml', type: 'message/rfc822', bytes: Buffer.from('') }],
    })
    expect(compareReading(whole, { ...PERSON, mayBeWhole: true }, CONTEXT)).toEqual([])
    expect(compareReading(whole, PERSON, CONTEXT)).not.toEqual([])
  })
})
