import { describe, expect, test } from 'vitest'
import { multipart, rawEmail } from '../../test/raw-email.ts'
import { readEmail } from './read-email.ts'

const SENT = '<0199c1a2-7b3c-7d4e-8f50-a1b2c3d4e5f6.42.abcdefghijklmnop@desk.example>'
const RETURNED = [
  `Message-ID: ${SENT}`,
  'From: Desk <desk@desk.example>',
  'To: dead@client.example',
  'Subject: [#42] Door',
  '',
  'Please restart it.',
  'Message-ID: <not.this@one>',
].join('\r\n')

type Dsn = { action?: string; status?: string; recipient?: string; more?: string }

/** As Postfix writes it. */
const postfix = ({
  action = 'failed',
  status = '5.1.1',
  recipient = 'dead@client.example',
  more = '',
}: Dsn = {}) =>
  rawEmail(
    [
      'Return-Path: <>',
      'From: MAILER-DAEMON@mx.desk.example (Mail Delivery System)',
      'To: desk@desk.example',
      'Subject: Undelivered Mail Returned to Sender',
      'Auto-Submitted: auto-replied',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status;',
      '\tboundary="edge"',
      'Message-ID: <20261120.A1B2@mx.desk.example>',
    ],
    multipart([
      {
        fields: ['Content-Description: Notification', 'Content-Type: text/plain; charset=us-ascii'],
        body: 'This is the mail system at host mx.desk.example.\r\n\r\nI am sorry.',
      },
      {
        fields: ['Content-Description: Delivery report', 'Content-Type: message/delivery-status'],
        body: [
          'Reporting-MTA: dns; mx.desk.example',
          'Arrival-Date: Fri, 20 Nov 2026 10:00:00 +0000 (UTC)',
          '',
          `Final-Recipient: rfc822; ${recipient}`,
          `Original-Recipient: rfc822;${recipient}`,
          `Action: ${action}`,
          `Status: ${status}`,
          'Remote-MTA: dns; mx.client.example',
          'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
          more,
        ].join('\r\n'),
      },
      {
        fields: ['Content-Description: Undelivered Message', 'Content-Type: message/rfc822'],
        body: RETURNED,
      },
    ]),
  )

const read = (raw: Buffer) => readEmail(raw, { authserv: null })

describe('a report of RFC 3464', () => {
  test('a report of a dead address is permanent, and names the address and what came back', async () => {
    const email = await read(postfix())
    expect(email.kind).toBe('bounce')
    expect(email.bounce).toEqual({
      kind: 'permanent',
      status: '5.1.1',
      recipients: ['dead@client.example'],
      returnedIds: [SENT],
    })
    expect(email.text).toContain('I am sorry.')
  })

  test.each([
    ['4.4.1', 'delayed'],
    ['4.4.7', 'failed'],
  ])('a report with the status %s is temporary', async (status, action) => {
    const { bounce } = await read(postfix({ status, action }))
    expect(bounce).toMatchObject({ kind: 'temporary', status })
  })

  test.each(['delivered', 'relayed', 'expanded'])(
    'a report that an email was %s is no bounce',
    async (action) => {
      const email = await read(postfix({ action, status: '2.0.0' }))
      expect(email).toMatchObject({ kind: 'automatic', bounce: null })
    },
  )

  test('of several recipients only those that failed are named', async () => {
    const { bounce } = await read(
      postfix({
        more: '\r\nFinal-Recipient: rfc822; erika@client.example\r\nAction: delivered\r\nStatus: 2.0.0\r\n',
      }),
    )
    expect(bounce?.recipients).toEqual(['dead@client.example'])
  })

  test('a folded field and an address in capitals are read', async () => {
    const { bounce } = await read(postfix({ recipient: '\r\n Dead@Client.Example' }))
    expect(bounce?.recipients).toEqual(['dead@client.example'])
  })

  test('a report that a person forwards is no bounce', async () => {
    const email = await read(
      rawEmail(
        ['From: <erika@client.example>', 'Content-Type: multipart/mixed; boundary=edge'],
        multipart([
          { fields: [], body: 'What does that mean?' },
          {
            fields: ['Content-Type: message/delivery-status'],
            body: 'Final-Recipient: rfc822; a@b.example\r\nAction: failed\r\nStatus: 5.1.1',
          },
        ]),
      ),
    )
    expect(email).toMatchObject({ kind: 'person', bounce: null, text: 'What does that mean?' })
  })

  test('a receipt is automatic', async () => {
    const email = await read(
      rawEmail(
        [
          'From: <erika@client.example>',
          'Content-Type: multipart/report; report-type=disposition-notification; boundary=edge',
        ],
        multipart([
          { fields: [], body: 'Your message was read.' },
          {
            fields: ['Content-Type: message/disposition-notification'],
            body: 'Final-Recipient: rfc822; erika@client.example\r\nDisposition: manual-action; displayed',
          },
        ]),
      ),
    )
    expect(email).toMatchObject({ kind: 'automatic', bounce: null })
  })
})

describe('a bounce without a report', () => {
  test('Exim names the address in a field', async () => {
    const email = await read(
      rawEmail(
        [
          'Return-Path: <>',
          'From: Mail Delivery System <Mailer-Daemon@mx.desk.example>',
          'X-Failed-Recipients: dead@client.example',
          'Subject: Mail delivery failed: returning message to sender',
        ],
        [
          'This message was created automatically by mail delivery software.',
          '',
          '  dead@client.example',
          '    SMTP error from remote mail server after RCPT TO:<dead@client.example>:',
          '    550 5.1.1 User unknown',
          '',
          '------ This is a copy of the message, including all the headers. ------',
          '',
          RETURNED,
        ].join('\r\n'),
      ),
    )
    expect(email.bounce).toMatchObject({
      kind: 'permanent',
      status: '5.1.1',
      recipients: ['dead@client.example'],
    })
    expect(email.bounce?.returnedIds).toContain(SENT)
  })

  test('qmail names it in its text', async () => {
    const email = await read(
      rawEmail(
        ['Return-Path: <>', 'From: MAILER-DAEMON@mx.client.example', 'Subject: failure notice'],
        [
          'Hi. This is the qmail-send program at mx.client.example.',
          'I’m afraid I wasn’t able to deliver your message.',
          '',
          '<dead@client.example>:',
          'Sorry, no mailbox here by that name. (#5.1.1)',
          '',
          '--- Below this line is a copy of the message.',
          '',
          RETURNED,
        ].join('\r\n'),
      ),
    )
    expect(email.bounce).toMatchObject({
      kind: 'permanent',
      recipients: ['dead@client.example'],
    })
    expect(email.bounce?.returnedIds).toContain(SENT)
  })

  test('an answer of an absent person is automatic, also with an empty return path', async () => {
    const email = await read(
      rawEmail(
        ['Return-Path: <>', 'From: <erika@client.example>', 'Subject: Out of office'],
        'I am back on 5.1.2027. Your message could not be delivered to my mind.',
      ),
    )
    expect(email).toMatchObject({ kind: 'automatic', bounce: null })
  })
})
