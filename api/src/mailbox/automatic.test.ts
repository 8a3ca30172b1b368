import { describe, expect, test } from 'vitest'
import { rawEmail } from '../../test/raw-email.ts'
import { readHead } from './email-head.ts'
import { isOwnEmail, whyAutomatic } from './automatic.ts'
import { buildReplyTokens } from './reply-tokens.ts'

const FROM = 'From: Erika <erika@client.example>'
const reason = (...fields: string[]) => whyAutomatic(readHead(rawEmail([FROM, ...fields])))

describe('an automatic email', () => {
  test.each([
    ['Auto-Submitted: auto-replied', 'auto-submitted'],
    ['Auto-Submitted: auto-generated; type=alert', 'auto-submitted'],
    ['Auto-Submitted: no-reply', 'auto-submitted'],
    ['Precedence: bulk', 'precedence'],
    ['Precedence: List', 'precedence'],
    ['Precedence: junk', 'precedence'],
    ['Precedence: auto_reply', 'precedence'],
    ['List-Id: Announcements <a.client.example>', 'list-id'],
    ['List-Unsubscribe: <mailto:x@client.example>', 'list-unsubscribe'],
    ['X-Autoreply: yes', 'x-autoreply'],
    ['X-Auto-Response-Suppress: All', 'x-auto-response-suppress'],
    ['X-Auto-Response-Suppress: DR, RN', 'x-auto-response-suppress'],
    ['Return-Path: <>', 'return-path'],
    ['Return-Path: < >', 'return-path'],
    ['Content-Type: multipart/report; report-type=disposition-notification', 'content-type'],
  ])('is recognised by `%s`', (field, name) => {
    expect(reason(field)).toBe(name)
  })

  test.each([
    'MAILER-DAEMON@client.example',
    'no-reply@client.example',
    'noreply@client.example',
    'do_not_reply@client.example',
    'donotreply@client.example',
    'alerts-noreply@client.example',
    'noreply+42@client.example',
  ])('is recognised by its sender %s', (address) => {
    expect(whyAutomatic(readHead(rawEmail([`From: <${address}>`])))).toBe('from')
  })
})

describe('a person’s email', () => {
  test.each([
    'Auto-Submitted: no',
    'Auto-Submitted: No (written by hand)',
    'Precedence: first-class',
    'List-Id:',
    'X-Auto-Response-Suppress: None',
    'Return-Path: <erika@client.example>',
    'Content-Type: multipart/mixed; boundary=report',
    'Subject: Auto-Submitted: yes',
  ])('may have `%s`', (field) => {
    expect(reason(field)).toBeNull()
  })

  test.each(['noreplymouth@client.example', 'tech@no-reply.example', 'reply@client.example'])(
    'may come from %s',
    (address) => {
      expect(whyAutomatic(readHead(rawEmail([`From: <${address}>`])))).toBeNull()
    },
  )
})

describe('an email of ours', () => {
  const desk = 'desk@desk.example'
  const tokens = buildReplyTokens({ secrets: ['signs-the-emails-of-tests-only'], desk })
  const isOwn = (messageId: string | null, fromAddresses: string[]) =>
    isOwnEmail({ messageId, fromAddresses }, { tokens, addresses: [desk, 'help@desk.example'] })
  const messageId = tokens.messageId('0199c1a2-7b3c-7d4e-8f50-a1b2c3d4e5f6', 42)

  test('is known by its Message-ID, or by an address of the desk', () => {
    expect(isOwn(messageId, ['erika@client.example'])).toBe(true)
    expect(isOwn(null, ['help@desk.example'])).toBe(true)
    expect(isOwn(null, ['DESK+42.abc@desk.example'])).toBe(true)
  })

  test('is not one with a forged Message-ID of another’s address', () => {
    expect(isOwn(messageId.replace('.42.', '.43.'), ['erika@client.example'])).toBe(false)
    expect(isOwn(null, ['desk@client.example'])).toBe(false)
  })
})
