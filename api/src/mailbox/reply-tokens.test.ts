import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBase32, toBase32 } from './base32.ts'
import { buildReplyTokens } from './reply-tokens.ts'

const SECRET = 'signs-the-emails-of-tests-only'
const ID = '0199c1a2-7b3c-7d4e-8f50-a1b2c3d4e5f6'
const desk = 'desk@desk.example'
const tokens = buildReplyTokens({ secrets: [SECRET], desk })
const local = (address: string | null) => address?.split('@')[0] ?? ''

/** The text with another character at `at`. */
const altered = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1)

describe('reply addresses', () => {
  test('a reply address names its ticket, in any case', () => {
    const address = tokens.replyAddress(42) ?? ''
    expect(address).toMatch(/^desk\+42\.[a-z2-7]{16}@desk\.example$/)
    expect(tokens.ticketOfAddress(address)).toBe(42)
    expect(tokens.ticketOfAddress(address.toUpperCase())).toBe(42)
  })

  test('a reply address with one altered character names no ticket', () => {
    const address = tokens.replyAddress(42) ?? ''
    for (let at = 0; at < address.length; at++)
      expect(tokens.ticketOfAddress(altered(address, at))).toBeNull()
  })

  test('the mac of one ticket doesn’t open another', () => {
    const mac = local(tokens.replyAddress(7)).split('.')[1]
    expect(tokens.ticketOfAddress(`desk+42.${mac}@desk.example`)).toBeNull()
    expect(tokens.ticketOfAddress(`desk+07.${mac}@desk.example`)).toBeNull()
  })

  test('text around a reply address makes it another address', () => {
    const address = tokens.replyAddress(42) ?? ''
    for (const other of [`x${address}`, `${address}.evil.example`, `${address}\n`, ` ${address}`])
      expect(tokens.ticketOfAddress(other)).toBeNull()
  })

  test('characters that fold to ASCII are not those of the desk', () => {
    const address = (tokens.replyAddress(42) ?? '').replace('k', '\u212A')
    expect(tokens.ticketOfAddress(address)).toBeNull()
  })
})

describe('Message-IDs', () => {
  test('a Message-ID names its email and ticket, the same at each attempt', () => {
    const messageId = tokens.messageId(ID, 42)
    expect(messageId).toMatch(/^<[0-9a-f-]{36}\.42\.[a-z2-7]{16}@desk\.example>$/)
    expect(tokens.messageId(ID, 42)).toBe(messageId)
    expect(tokens.emailOfMessageId(messageId)).toEqual({ id: ID, ticket: 42 })
  })

  test('a Message-ID with another number or id is not ours', () => {
    const messageId = tokens.messageId(ID, 42)
    expect(tokens.emailOfMessageId(messageId.replace('.42.', '.43.'))).toBeNull()
    expect(tokens.emailOfMessageId(messageId.replace('<0', '<1'))).toBeNull()
    expect(tokens.emailOfMessageId(messageId.slice(1, -1))).toBeNull()
  })
})

describe('return paths', () => {
  test('a return path names the email that came back', () => {
    const address = tokens.returnPath(ID)
    expect(address).toMatch(/^desk\+b\.[a-z2-7]{26}\.[a-z2-7]{16}@desk\.example$/)
    expect(tokens.emailOfReturnPath(address ?? '')).toBe(ID)
    expect(tokens.emailOfReturnPath(altered(address ?? '', 10))).toBeNull()
  })

  test('a mac of one purpose is worth nothing for another', () => {
    const mac = local(tokens.replyAddress(42)).split('.')[1] ?? ''
    expect(tokens.emailOfMessageId(`<${ID}.42.${mac}@desk.example>`)).toBeNull()
    expect(tokens.ticketOfAddress(tokens.returnPath(ID) ?? '')).toBeNull()
    expect(tokens.emailOfReturnPath(tokens.replyAddress(42) ?? '')).toBeNull()
  })
})

describe('length', () => {
  test('a local part has at most 64 characters, otherwise there is no signed address', () => {
    for (let length = 1; length < 64; length++) {
      const { replyAddress, returnPath } = buildReplyTokens({
        secrets: [SECRET],
        desk: `${'d'.repeat(length)}@desk.example`,
      })
      for (const address of [replyAddress(1_234_567_890), returnPath(ID)])
        expect(local(address).length).toBeLessThanOrEqual(64)
      expect(returnPath(ID) === null).toBe(length > 18)
    }
    expect(tokens.messageId(ID, 1_234_567_890).split('@')[0]?.length).toBeLessThanOrEqual(65)
  })
})

describe('secrets', () => {
  test('the first secret signs and all verify', () => {
    const rotated = buildReplyTokens({ secrets: ['a new secret', SECRET], desk })
    expect(rotated.replyAddress(42)).not.toBe(tokens.replyAddress(42))
    expect(rotated.ticketOfAddress(tokens.replyAddress(42) ?? '')).toBe(42)
    expect(tokens.ticketOfAddress(rotated.replyAddress(42) ?? '')).toBeNull()
  })

  test('without a secret nothing is signed', () => {
    expect(() => buildReplyTokens({ secrets: [], desk })).toThrow('no secret')
  })
})

describe('the ticket of an email', () => {
  const none = { recipients: [], inReplyTo: [], references: [] }
  const reply = (ticket: number) => tokens.replyAddress(ticket) ?? ''

  test('recipients count before In-Reply-To, and that before References, the newest first', () => {
    const [first, second, third] = [1, 2, 3].map((n) => tokens.messageId(ID, n)) as [
      string,
      string,
      string,
    ]
    const all = { recipients: ['x@y.example', reply(9)], inReplyTo: [first], references: [second] }
    expect(tokens.ticketOf(all)).toBe(9)
    expect(tokens.ticketOf({ ...all, recipients: [desk] })).toBe(1)
    expect(tokens.ticketOf({ ...none, references: [second, third, '<a@b>'] })).toBe(3)
    expect(tokens.ticketOf(none)).toBeNull()
  })
})

describe('base 32', () => {
  test('all bytes come back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
        expect(fromBase32(toBase32(bytes))).toEqual(bytes)
      }),
    )
  })

  test('characters are those of RFC 4648', () => {
    expect(toBase32(Buffer.from('foobar'))).toBe('mzxw6ytboi')
  })
})
