import { describe, expect, test } from 'vitest'
import { multipart, rawEmail, utf8 } from '../../test/raw-email.ts'
import { readEmail, type ReadEmail } from './read-email.ts'

const HEAD = [
  'From: Erika Muster <erika@client.example>',
  'To: desk@desk.example',
  'Subject: Door',
  'Date: Fri, 20 Nov 2026 10:00:00 +0000',
  'Message-ID: <1@client.example>',
]
const read = (raw: Buffer) => readEmail(raw, { authserv: null })
const readBody = (fields: string[], body: string) => read(rawEmail([...HEAD, ...fields], body))
const MIXED = 'Content-Type: multipart/mixed; boundary=edge'
const ALTERNATIVE = 'Content-Type: multipart/alternative; boundary=edge'

const names = ({ files }: ReadEmail) => files.map(({ name }) => name)
const contentOf = ({ files }: ReadEmail, name: string) =>
  Buffer.from(files.find((file) => file.name === name)?.bytes ?? []).toString('utf8')

describe('fields', () => {
  test('a reply names its sender, recipients, copies and thread', async () => {
    const email = await read(
      rawEmail(
        [
          'Delivered-To: Desk+42.abc@desk.example',
          'X-Original-To: help@desk.example',
          'From: =?utf-8?q?Erika_M=C3=BCller?= <Erika@Client.Example>',
          'To: "Desk" <desk@desk.example>, Team: a@b.example, c@d.example;',
          'Cc: Carl <carl@client.example>, broken',
          'Subject: =?iso-8859-1?q?T=FCr?= =?utf-8?b?IMO2ZmZuZXQ=?=',
          'Message-ID: <2@client.example>',
          'In-Reply-To: <1@desk.example>',
          'References: <0@desk.example>\r\n\t<1@desk.example>',
        ],
        'Hello',
      ),
    )
    expect(email).toMatchObject({
      from: { address: 'erika@client.example', name: 'Erika Müller' },
      fromAddresses: ['erika@client.example'],
      recipients: [
        'desk+42.abc@desk.example',
        'help@desk.example',
        'desk@desk.example',
        'a@b.example',
        'c@d.example',
        'carl@client.example',
      ],
      copies: [{ address: 'carl@client.example', name: 'Carl' }],
      subject: 'Tür öffnet',
      messageId: '<2@client.example>',
      inReplyTo: ['<1@desk.example>'],
      references: ['<0@desk.example>', '<1@desk.example>'],
      text: 'Hello',
      quoted: '',
      kind: 'person',
      isUnreadable: false,
    })
  })

  test.each([
    ['in a charset the platform doesn’t know', '=?ibm850?q?T=81r?=', 'Tür'],
    ['in UTF-8 without saying so', utf8('Tür'), 'Tür'],
    ['in Windows-1252 without saying so', 'T\u00FCr', 'Tür'],
    ['in words that split a character', '=?utf-8?q?T=C3?= =?utf-8?q?=BCr?=', 'Tür'],
    ['with marks that change the direction', utf8('a\u202Eb\u2066c\u200Fd\u061Ce'), 'abcde'],
    [
      'with an emoji of several characters',
      utf8('\u{1F468}\u200D\u{1F467}'),
      '\u{1F468}\u200D\u{1F467}',
    ],
    ['with control characters', 'a\u0000b\u0007c', 'abc'],
    ['that is empty', '', ''],
    ['that is folded', 'a\r\n b', 'a b'],
  ])('a subject %s is readable', async (_, subject, expected) => {
    const email = await read(rawEmail([`Subject: ${subject}`], 'Hello'))
    expect(email.subject).toBe(expected)
  })

  test('a subject has at most 200 characters', async () => {
    const { subject } = await read(rawEmail([`Subject: ${'x'.repeat(9_000)}`], 'Hello'))
    expect(subject).toHaveLength(200)
  })

  test('of two copies of one email the content key is equal, of two emails with one Message-ID not', async () => {
    const [one, copy, other] = await Promise.all([
      read(rawEmail(['Delivered-To: a@desk.example', ...HEAD], 'Hello')),
      read(rawEmail(['Received: by x', 'Delivered-To: b@desk.example', ...HEAD], 'Hello')),
      read(rawEmail(HEAD, 'Hello again')),
    ])
    expect(copy.contentKey).toBe(one.contentKey)
    expect(other.contentKey).not.toBe(one.contentKey)
    const [nameless, received] = await Promise.all([
      read(rawEmail(['From: <a@b.example>'], 'Hello')),
      read(rawEmail(['Received: by x', 'From: <a@b.example>'], 'Hello')),
    ])
    expect(received.contentKey).not.toBe(nameless.contentKey)
  })
})

describe('charsets', () => {
  const EIGHT_BIT = 'Content-Transfer-Encoding: 8bit'
  const type = (charset: string) => [`Content-Type: text/plain; charset=${charset}`, EIGHT_BIT]
  test.each([
    ['UTF-8', type('utf-8'), utf8('Grüße')],
    ['UTF-8 that says ASCII', type('us-ascii'), utf8('Grüße')],
    ['UTF-8 that says nothing', [EIGHT_BIT], utf8('Grüße')],
    ['Windows-1252 that says UTF-8', type('utf-8'), 'Gr\u00FC\u00DFe'],
    ['Windows-1252 that says ASCII', type('"US-ASCII"'), 'Gr\u00FC\u00DFe'],
    ['Windows-1252 that says nothing', [EIGHT_BIT], 'Gr\u00FC\u00DFe'],
    [
      'quoted-printable that says nothing',
      ['Content-Transfer-Encoding: quoted-printable'],
      'Gr=FC=DFe',
    ],
    ['ISO-8859-15', type('iso-8859-15'), 'Gr\u00FC\u00DFe'],
    ['IBM850', type('ibm850'), 'Gr\u0081\u00E1e'],
    ['UTF-7', type('utf-7'), 'Gr+APwA3w-e'],
    [
      'UTF-16',
      ['Content-Type: text/plain; charset=utf-16le', 'Content-Transfer-Encoding: base64'],
      Buffer.from('Grüße', 'utf16le').toString('base64'),
    ],
    ['a charset that doesn’t exist', type('x-foo'), 'Gr\u00FC\u00DFe'],
    [
      'a charset on a folded line',
      ['Content-Type: text/plain;\r\n\tcharset=us-ascii'],
      utf8('Grüße'),
    ],
  ])('%s is read', async (_, fields, body) => {
    expect((await readBody(fields, body)).text).toBe('Grüße')
  })

  test.each([
    ['iso-2022-jp', '\u001B$B$3$s$K$A$O\u001B(B', 'こんにちは'],
    ['shift_jis', '\u0082\u00B1\u0082\u00F1', 'こん'],
    ['hz-gb-2312', '~{VPND~} ok', '中文 ok'],
    ['iso-2022-kr', '\u001B$)C\u000EGQ1[\u000F ok', '한글 ok'],
    ['koi8-r', '\u00F0\u00D2\u00C9\u00D7\u00C5\u00D4', 'Привет'],
    ['windows-1255', '\u00F9\u00EC\u00E5\u00ED', 'שלום'],
  ])('%s is read', async (charset, body, expected) => {
    expect((await readBody(type(charset), body)).text).toBe(expected)
  })

  test('a lone surrogate and marks don’t come through', async () => {
    const html = '<p>a&#xD800;b&#8238;c&#0;d</p>'
    const { text } = await readBody(['Content-Type: text/html'], html)
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/)
    expect(text).not.toContain('\u0000')
  })
})

describe('text and HTML', () => {
  test('the text part is the body, and the HTML a file', async () => {
    const email = await readBody(
      [ALTERNATIVE],
      multipart([
        { fields: ['Content-Type: text/plain'], body: 'Hello text' },
        { fields: ['Content-Type: text/html'], body: '<p>Hello <b>HTML</b></p>' },
      ]),
    )
    expect(email.text).toBe('Hello text')
    expect(names(email)).toEqual(['email.html'])
    expect(contentOf(email, 'email.html')).toContain('<p>Hello <b>HTML</b></p>')
  })

  test('without text the HTML is read, and its quote folded', async () => {
    const email = await readBody(
      ['Content-Type: text/html; charset=utf-8'],
      '<div>The lamp is green.<br></div><div class="gmail_quote">On Mon, Nov 2, 2026 at 10:00 AM Desk &lt;a@b.example&gt; wrote:<br><blockquote>Is it?</blockquote></div>',
    )
    expect(email.text).toBe('The lamp is green.')
    expect(email.quoted).toContain('Is it?')
  })

  test('all words of long HTML are in message.txt, without styles', async () => {
    const words = '<p>caf&eacute; &lt;b&gt;</p><style>.hidden{}</style>'.repeat(20_000)
    const email = await readBody(['Content-Type: text/html'], `${words}<p>the end</p>`)
    const text = contentOf(email, 'message.txt')
    expect(text.match(/café <b>/g)).toHaveLength(20_000)
    expect(text).toContain('the end')
    expect(text).not.toContain('hidden')
  })

  test('all words of a long text are in message.txt', async () => {
    const words = Array.from({ length: 10_000 }, (_, n) => `word${n}`)
    const email = await readBody([], words.join('\r\n'))
    expect(email.text).toHaveLength(10_000)
    expect(names(email)).toEqual(['message.txt'])
    const kept = new Set(contentOf(email, 'message.txt').split(/\s+/))
    expect(words.filter((word) => !kept.has(word))).toEqual([])
  })

  test('a text of 10,000 characters needs no file', async () => {
    const email = await readBody([], 'x'.repeat(10_000))
    expect(email.text).toHaveLength(10_000)
    expect(email.files).toEqual([])
  })

  test('a picture of the HTML is named by its place among the files', async () => {
    const email = await readBody(
      ['Content-Type: multipart/related; boundary=edge'],
      multipart([
        {
          fields: ['Content-Type: text/html'],
          body: '<p>See <img src="cid:b%40c" alt="door"><img src="cid:unknown"><img src="attachment:0"></p>',
        },
        { fields: ['Content-Type: text/csv; name=a.csv'], body: 'a,b' },
        { fields: ['Content-Type: image/png; name=door.png', 'Content-ID: <b@c>'], body: 'PNG' },
      ]),
    )
    expect(names(email)).toEqual(['a.csv', 'door.png', 'email.html'])
    expect(contentOf(email, 'email.html')).toContain(
      '<p>See <img alt="door" src="attachment:1" /><img /><img /></p>',
    )
  })

  test('an email with a subject alone is empty, not unreadable', async () => {
    const gmail = multipart([
      { fields: ['Content-Type: text/plain'], body: '\r\n' },
      { fields: ['Content-Type: text/html'], body: '<div dir="ltr"><br></div>' },
    ])
    for (const email of [await readBody([ALTERNATIVE], gmail), await readBody([], '\r\n \r\n')])
      expect(email).toMatchObject({ text: '', files: [], isUnreadable: false })
  })

  test('a forwarded email within is text', async () => {
    const email = await readBody(
      [MIXED],
      multipart([
        { fields: [], body: 'See below' },
        {
          fields: ['Content-Type: message/rfc822'],
          body: 'From: v@vendor.example\r\nSubject: RMA\r\n\r\nThe number is 77.',
        },
      ]),
    )
    expect(`${email.text} ${email.quoted}`).toContain('The number is 77.')
  })
})

describe('files', () => {
  const file = (fields: string[], body = 'QUJD') => ({
    fields: [...fields, 'Content-Transfer-Encoding: base64'],
    body,
  })

  test.each([
    ['a picture', 'Content-Type: image/png; name="=?utf-8?q?T=C3=BCr?=.png"', 'Tür.png'],
    ['a path', String.raw`Content-Type: text/csv; name="..\\..\\a/b.csv"`, '_.._a_b.csv'],
    [
      'a name that turns around',
      `Content-Type: application/x-a; name="${utf8('a\u202Egpj.exe')}"`,
      'agpj.exe',
    ],
    ['winmail.dat', 'Content-Type: application/ms-tnef; name=winmail.dat', 'winmail.dat'],
    ['S/MIME', 'Content-Type: application/pkcs7-mime; name=smime.p7m', 'smime.p7m'],
    [
      'an invitation without a name',
      'Content-Type: text/calendar; method=REQUEST',
      'attachment-1.ics',
    ],
    ['a picture without a name', 'Content-Type: image/png', 'attachment-1.png'],
  ])('%s is attached', async (_, field, name) => {
    const email = await readBody([MIXED], multipart([{ fields: [], body: 'Hello' }, file([field])]))
    expect(names(email)).toEqual([name])
    expect(contentOf(email, name).trim()).toBe('ABC')
  })

  test('an email that is all S/MIME has one file and no text', async () => {
    const email = await readBody(
      ['Content-Type: application/pkcs7-mime; name=smime.p7m', 'Content-Transfer-Encoding: base64'],
      'QUJD',
    )
    expect(email).toMatchObject({ text: '', isUnreadable: false })
    expect(names(email)).toEqual(['smime.p7m'])
  })

  test.each([
    ['in 8-bit', '8bit', 'T\u00FCr;1\r\n\r\nTor;2', 'T\u00FCr;1\r\n\r\nTor;2'],
    ['in quoted-printable', 'quoted-printable', 'T=FCr=\r\n;1\r\nTor;2', 'T\u00FCr;1\r\nTor;2'],
    ['with encoded line feeds', 'quoted-printable', 'a=0Ab=0A', 'a\nb\n'],
  ])('a text file %s keeps its bytes', async (_, encoding, body, sent) => {
    const fields = [
      'Content-Type: text/csv; charset=iso-8859-1; name=a.csv',
      `Content-Transfer-Encoding: ${encoding}`,
    ]
    const email = await readBody([MIXED], multipart([{ fields, body }]))
    expect(Buffer.from(email.files[0]?.bytes ?? []).toString('latin1')).toBe(sent)
  })

  test('a calendar keeps its bytes', async () => {
    const body = Buffer.from('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n').toString('base64')
    const invitation = file(['Content-Type: application/ics; name=a.ics'], body)
    const email = await readBody([MIXED], multipart([invitation]))
    expect(contentOf(email, 'a.ics')).toBe('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n')
  })

  test('of 60 attachments 50 are kept, and the others counted', async () => {
    const parts = Array.from({ length: 60 }, (_, n) => file([`Content-Type: a/b; name=f${n}.bin`]))
    const email = await readBody([MIXED], multipart(parts))
    expect(email.files).toHaveLength(50)
    expect(email.filesLeftOut).toBe(10)
  })
})

describe('texts with faults', () => {
  test.each([
    ['a type without a subtype', ['Content-Type: text'], utf8('Tür'), 'Tür'],
    ['an untidy charset', ['Content-Type: text/plain; charset="UTF8;"'], utf8('Tür'), 'Tür'],
    ['an untidy charset', ['Content-Type: text/plain; charset="iso-8859-2;"'], '\u00B1', 'ą'],
    [
      'blanks behind a soft break',
      ['Content-Type: text/plain', 'Content-Transfer-Encoding: quoted-printable'],
      'T=c3=\r\n=bcr =  \r\nauf',
      'Tür auf',
    ],
  ])('a text with %s is read', async (_, fields, body, text) => {
    expect((await readBody(fields, body)).text).toBe(text)
  })
})

describe('malformed emails', () => {
  const lines = [...HEAD, '', 'Hello', 'there']

  test.each([
    ['lone carriage returns', lines.join('\r')],
    ['line feeds alone', lines.join('\n')],
    ['doubled carriage returns', lines.join('\r\r\n')],
    ['no empty line below the head', [...HEAD, 'Hello', 'there'].join('\r\n')],
    ['empty lines above the head', `\r\n\r\n${lines.join('\r\n')}`],
    ['a byte order mark', `${utf8('\uFEFF')}${lines.join('\r\n')}`],
    ['an mbox line above the head', `From erika Fri Nov 20 10:00:00 2026\n${lines.join('\n')}`],
    ['a line that is no field', lines.join('\r\n').replace('To:', 'nonsense\r\nTo:')],
    [
      '5,000 Received lines',
      `${'Received: from x by y; z\r\n'.repeat(20_000)}${lines.join('\r\n')}`,
    ],
    [
      '50,000 unknown lines',
      `${'X-Unknown: from x by y; z\r\n'.repeat(50_000)}${lines.join('\r\n')}`,
    ],
    ['a line of 300 kB', `X-Long: ${'x'.repeat(300_000)}\r\n${lines.join('\r\n')}`],
  ])('an email with %s is read', async (_, source) => {
    const email = await read(Buffer.from(source, 'latin1'))
    expect(email).toMatchObject({
      from: { address: 'erika@client.example' },
      subject: 'Door',
      text: 'Hello\nthere',
      isUnreadable: false,
    })
  })

  test.each([
    ['short', 'From: <eve@evil.example>'],
    ['long', `From: ${'x'.repeat(9_000)} <eve@evil.example>`],
  ])('a second sender below 256 kB of head is not overlooked, on a %s line', async (_, field) => {
    const padding = 'Received: from x by y; z\r\n'.repeat(20_000).trimEnd()
    const email = await read(rawEmail([...HEAD, padding, field], 'Hello'))
    expect(email.from).toBeNull()
  })

  test('a text without any field is the body', async () => {
    expect((await read(Buffer.from('Hello there\nyou two'))).text).toBe('Hello there\nyou two')
  })

  test.each([
    ['no boundary', 'multipart/mixed'],
    ['another boundary', 'multipart/mixed; boundary=other'],
  ])('a multipart with %s is read', async (_, type) => {
    const parts = multipart([{ fields: ['Content-Type: text/plain'], body: 'Hello there' }])
    expect((await readBody([`Content-Type: ${type}`], parts)).text).toBe('Hello there')
  })

  test('a multipart that ends early is read', async () => {
    const parts = multipart([
      { fields: ['Content-Type: text/plain'], body: 'Hello there' },
      { fields: ['Content-Type: image/png; name=a.png'], body: 'PNG' },
    ]).replace('--edge--', '')
    const email = await readBody([MIXED], parts)
    expect(email.text).toBe('Hello there')
    expect(names(email)).toEqual(['a.png'])
  })

  test.each([
    ['nothing but NULs', Buffer.alloc(10_000)],
    ['5,000 levels of parts', nested(5_000)],
    ['a part that is not there', rawEmail([...HEAD, MIXED], 'Hello, but no part')],
  ])('an email of %s is attached whole', async (_, raw) => {
    const email = await read(raw)
    expect(email.isUnreadable).toBe(true)
    expect(email.text).toContain('couldn’t be read')
    expect(names(email)).toEqual(['message.eml'])
    expect(Buffer.from(email.files[0]?.bytes ?? []).equals(raw)).toBe(true)
  })

  test('the head of an unreadable email is read', async () => {
    expect(await read(nested(5_000))).toMatchObject({
      from: { address: 'erika@client.example' },
      subject: 'Door',
      messageId: '<1@client.example>',
    })
  })

  test('parts of 90 levels are read', async () => {
    expect((await read(nested(90))).text).toBe('Hello')
  })

  test('no byte is no error', async () => {
    expect(await read(Buffer.alloc(0))).toMatchObject({ text: '', from: null, files: [] })
  })
})

describe('bombs', () => {
  const LIMIT_MS = 10_000
  test.each([
    ['10,000 line ends', [], `${'\r\n'.repeat(10_000)}Hello`],
    ['10 MB in one line', [], 'x'.repeat(10_000_000)],
    ['200,000 open tags', ['Content-Type: text/html'], `${'<b>'.repeat(200_000)}Hello`],
    ['100,000 broken tags', ['Content-Type: text/html'], `${'<a '.repeat(100_000)}Hello`],
    ['20,000 children', ['Content-Type: text/html'], '<i>x</i>'.repeat(50_000)],
    [
      '10,000 parts',
      [MIXED],
      multipart(Array.from({ length: 10_000 }, () => ({ fields: [], body: 'x' }))),
    ],
    [
      '10,000 recipients',
      [`Cc: ${Array.from({ length: 10_000 }, (_, n) => `a${n}@b.example`).join(', ')}`],
      'x',
    ],
    ['100,000 brackets in From', [`Reply-To: ${'<'.repeat(100_000)}`], 'x'],
  ])('%s are read within 10 seconds', async (_, fields, body) => {
    const started = performance.now()
    await readBody(fields, body)
    expect(performance.now() - started).toBeLessThan(LIMIT_MS)
  })

  test('the words below 5,000 open tags are kept', async () => {
    const email = await readBody(['Content-Type: text/html'], `${'<div>'.repeat(5_000)}Hello`)
    expect(email.text).toContain('Hello')
    expect(contentOf(email, 'email.html')).toContain('Hello')
  })
})

function nested(levels: number) {
  const starts = Array.from(
    { length: levels },
    (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}.\r\n\r\n`,
  ).join('')
  const fields = [...HEAD, 'Content-Type: multipart/mixed; boundary=b0.']
  return rawEmail(fields, `${starts.replaceAll(/^--b(\d+)/gm, '--b$1.')}--b${levels}.\r\n\r\nHello`)
}
