import { describe, expect, test } from 'vitest'
import { rawEmail } from '../../test/raw-email.ts'
import { readHead } from './email-head.ts'
import { isSenderProven } from './sender-proof.ts'

const AUTHSERV = 'mx.desk.example'
const FROM = 'From: Erika <erika@client.example>'
const pass = (domain = 'client.example') =>
  `Authentication-Results: ${AUTHSERV}; dmarc=pass header.from=${domain}`
const fail = `Authentication-Results: ${AUTHSERV}; dmarc=fail header.from=client.example`

const isProven = (fields: string[], authserv: string | null = AUTHSERV) =>
  isSenderProven(readHead(rawEmail(fields, 'Hello')), authserv)

test('a sender is proven if the named server says that DMARC passed for the domain', () => {
  expect(isProven([pass(), FROM])).toBe(true)
})

test('nothing is proven without the name of a server', () => {
  expect(isProven([pass(), FROM], null)).toBe(false)
  expect(isProven([pass(), FROM], '')).toBe(false)
})

describe('forged headers', () => {
  test.each([
    ['below one that failed', [fail, pass(), FROM]],
    ['of another server', [pass().replace(AUTHSERV, 'mx.evil.example'), FROM]],
    ['of a server whose name contains ours', [pass().replace(AUTHSERV, `${AUTHSERV}.evil`), FROM]],
    ['for another domain', [pass('evil.example'), FROM]],
    ['for a subdomain', [pass('mail.client.example'), FROM]],
    ['for a domain that ends the same', [pass('notclient.example'), FROM]],
    ['without a domain', [`Authentication-Results: ${AUTHSERV}; dmarc=pass`, FROM]],
    [
      'with the pass of another method',
      [`Authentication-Results: ${AUTHSERV}; spf=pass header.from=client.example`, FROM],
    ],
    [
      'with a pass in a comment',
      [
        `Authentication-Results: ${AUTHSERV}; dmarc=fail (dmarc=pass header.from=client.example)`,
        FROM,
      ],
    ],
    [
      'with a separator in a comment',
      [
        `Authentication-Results: ${AUTHSERV}; spf=fail (a; dmarc=pass header.from=client.example)`,
        FROM,
      ],
    ],
    [
      'with a pass in quotes',
      [
        `Authentication-Results: ${AUTHSERV}; spf=fail smtp.mailfrom="x; dmarc=pass header.from=client.example"`,
        FROM,
      ],
    ],
    [
      'with an escaped quote',
      [
        String.raw`Authentication-Results: ${AUTHSERV}; spf=fail reason="\"; dmarc=pass header.from=client.example"`,
        FROM,
      ],
    ],
    [
      'with a comment that doesn’t end',
      [`Authentication-Results: ${AUTHSERV}; dmarc=pass header.from=client.example (`, FROM],
    ],
    [
      'with two results that differ',
      [
        `Authentication-Results: ${AUTHSERV}; dmarc=fail header.from=client.example; dmarc=pass header.from=client.example`,
        FROM,
      ],
    ],
    [
      'with two domains',
      [
        `Authentication-Results: ${AUTHSERV}; dmarc=pass header.from=client.example header.from=evil.example`,
        FROM,
      ],
    ],
    ['with no result', [`Authentication-Results: ${AUTHSERV}; none`, FROM]],
    ['in another field', [pass().replace('Authentication', 'X-Authentication'), FROM]],
    ['as a line of another field', [`X-Note: a\r\n ${pass()}`, FROM]],
  ])('a header %s proves nothing', (_, fields) => {
    expect(isProven(fields)).toBe(false)
  })
})

describe('syntax of RFC 8601', () => {
  test.each([
    [
      'several results',
      'mx.desk.example; spf=pass smtp.mailfrom=x@y.example; dkim=pass header.d=y.example header.b=Ab/C=; dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=client.example',
    ],
    [
      'folded lines',
      'mx.desk.example;\r\n\tspf=pass smtp.mailfrom=x@y.example;\r\n dmarc=pass\r\n header.from=client.example',
    ],
    ['versions', 'mx.desk.example 1; dmarc/1=pass header.from=client.example'],
    [
      'comments everywhere',
      '(a (nested) one) mx.desk.example (b) 1 (c); (d) dmarc (e) = (f) pass (g) header.from (h) = (i) client.example (j)',
    ],
    ['quotes around name and value', '"mx.desk.example"; dmarc=pass header.from="client.example"'],
    ['capitals', 'MX.Desk.Example; DMARC=Pass Header.From=Client.Example'],
    [
      'an address instead of a domain',
      'mx.desk.example; dmarc=pass header.from=erika@client.example',
    ],
    [
      'other properties and a reason',
      'mx.desk.example; dmarc=pass reason="a; b" policy.dmarc=none header.from=client.example',
    ],
  ])('a pass with %s proves the sender', (_, value) => {
    expect(isProven([`Authentication-Results: ${value}`, FROM])).toBe(true)
  })

  test('headers of other servers above are passed over', () => {
    expect(isProven([fail.replace(AUTHSERV, 'relay.example'), pass(), FROM])).toBe(true)
  })

  test('an international domain is compared in its ASCII form', () => {
    const from = Buffer.from('From: <erika@bücher.example>').toString('latin1')
    expect(isProven([pass('xn--bcher-kva.example'), from])).toBe(true)
  })
})

describe('one sender', () => {
  test.each([
    ['two From lines', [FROM, 'From: <boss@client.example>']],
    ['two equal From lines', [FROM, FROM]],
    ['a second From line with a space before the colon', [FROM, 'From : <boss@client.example>']],
    ['two addresses', ['From: <erika@client.example>, <boss@client.example>']],
    ['two addresses without a comma', ['From: <erika@client.example> <boss@client.example>']],
    ['an address as the name of another', ['From: boss@client.example <erika@client.example>']],
    [
      'a second address with a quoted local part',
      ['From: <erika@client.example>, "x y"@client.example'],
    ],
    ['a group of two', ['From: All: erika@client.example, boss@client.example;']],
    ['an address in an encoded word alone', ['From: =?utf-8?B?PGVyaWthQGNsaWVudC5leGFtcGxlPg==?=']],
    ['no address', ['From: Erika']],
    ['a name in quotes only', ['From: "erika@client.example"']],
    ['an address in a comment', ['From: (erika@client.example)']],
    ['no From line', []],
    ['a From line that begins with a no-break space', ['\u00A0From: <erika@client.example>']],
  ])('a sender with %s is not proven', (_, from) => {
    expect(isProven([pass(), ...from])).toBe(false)
  })

  test.each([
    'From: erika@client.example',
    'From: "Muster, Erika" <erika@client.example>',
    'From: "boss@client.example" <erika@client.example>',
    'From: erika@client.example <erika@client.example>',
    'From: Erika @ Client <Erika@Client.Example>',
    'From: erika@client.example (Erika)',
    'From: =?utf-8?q?boss=40client.example?= <erika@client.example>',
    'From: Erika\r\n <erika@client.example>',
  ])('`%s` is proven as one sender', (from) => {
    expect(isProven([pass(), from])).toBe(true)
  })

  test('a domain of look-alike letters is another domain', () => {
    // The e of client is Cyrillic.
    const from = Buffer.from('From: <erika@cli\u0435nt.example>').toString('latin1')
    expect(isProven([pass(), from])).toBe(false)
  })
})
