import { buildEmail, buildHtmlPart, buildPart, encodeWord } from './build-email.ts'
import { DESK, PERSON, type CorpusEmail } from './expected.ts'
import { buildReply, REPLY } from './reply-text.ts'

export const AUTOMATIC: CorpusEmail[] = [
  {
    name: 'an out-of-office reply from Exchange in German',
    raw: buildReply(buildPart('Ich bin bis Freitag nicht im Haus.'), {
      returnPath: '',
      subject: encodeWord('iso-8859-1', 'Automatische Antwort: Gate', 'Q'),
      more: [
        'Auto-Submitted: auto-generated',
        'X-Auto-Response-Suppress: DR, OOF, AutoReply',
        'X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent',
      ],
    }),
    expected: {
      ...REPLY,
      subject: 'Automatische Antwort: Gate',
      words: ['Ich bin bis Freitag nicht im Haus.'],
      kind: 'automatic',
    },
  },
  {
    name: 'a vacation reply from a Sieve script in Spanish, with a comment in Auto-Submitted',
    raw: buildReply(buildPart('Estoy de vacaciones hasta el lunes.'), {
      subject: 'Auto: Gate',
      more: ['AUTO-SUBMITTED:\tAuto-Replied (vacation); owner-email="erika@client.example"'],
    }),
    expected: {
      ...REPLY,
      subject: 'Auto: Gate',
      words: ['Estoy de vacaciones hasta el lunes.'],
      kind: 'automatic',
    },
  },
  {
    name: 'a vacation reply in Italian with nothing but "Precedence: Junk"',
    raw: buildReply(buildPart('Sono in ferie fino a lunedì.'), { more: ['PRECEDENCE: Junk'] }),
    expected: { ...REPLY, words: ['Sono in ferie fino a lunedì.'], kind: 'automatic' },
  },
  {
    name: 'a reply of absence in Japanese with nothing but an empty return path',
    raw: buildReply(buildPart('本日は休業日です。'), {
      returnPath: '',
      subject: encodeWord('utf-8', '【自動返信】不在のお知らせ'),
    }),
    expected: {
      ...REPLY,
      subject: '【自動返信】不在のお知らせ',
      words: ['本日は休業日です。'],
      kind: 'automatic',
    },
  },
  {
    name: 'an acknowledgement of another desk that answers our email',
    raw: buildReply(buildPart('Thank you, your ticket has the number 7001.'), {
      from: 'Helpdesk <help@client.example>',
      subject: '[T-7001] Re: Gate',
      more: ['X-Autoreply: yes', 'Precedence: auto_reply'],
    }),
    expected: {
      ...REPLY,
      from: 'help@client.example',
      fromName: 'Helpdesk',
      subject: '[T-7001] Re: Gate',
      words: ['Thank you, your ticket has the number 7001.'],
      kind: 'automatic',
    },
  },
  {
    name: 'a post of a person on a mailing list that includes the desk',
    raw: () =>
      buildEmail(
        {
          returnPath: 'gates-bounces@lists.client.example',
          results: 'mx.desk.example; dmarc=fail header.from=client.example',
          to: 'gates@lists.client.example',
          subject: '[gates] The gate is stuck',
          more: [
            'List-Id: Gates of the client <gates.lists.client.example>',
            'List-Post: <mailto:gates@lists.client.example>',
          ],
        },
        buildPart('Does anybody know this?\r\n_______________\r\ngates mailing list\r\n'),
      ),
    expected: {
      ...PERSON,
      subject: '[gates] The gate is stuck',
      words: ['Does anybody know this?'],
      kind: 'automatic',
      recipients: [DESK, 'gates@lists.client.example'],
      isProven: false,
    },
  },
  {
    name: 'advertising of HTML with nothing but List-Unsubscribe',
    raw: () =>
      buildEmail(
        {
          from: 'Offers <offers@shop.example>',
          results: 'mx.desk.example; dmarc=pass header.from=shop.example',
          subject: 'Only today',
          more: ['List-Unsubscribe: <https://shop.example/out?u=1>,\r\n <mailto:out@shop.example>'],
        },
        buildHtmlPart(
          '<p>Locks at half the price.</p><img src="https://shop.example/p.gif" width="1">',
        ),
      ),
    expected: {
      ...PERSON,
      from: 'offers@shop.example',
      fromName: 'Offers',
      subject: 'Only today',
      words: ['Locks at half the price.'],
      files: [{ name: 'email.html', words: ['Locks at half the price.'] }],
      kind: 'automatic',
    },
  },
  {
    name: 'an invoice from a no-reply address without any other sign',
    raw: () =>
      buildEmail(
        {
          returnPath: 'billing@vendor.example',
          from: '"Vendor Billing" <No-Reply@vendor.example>',
          results: 'mx.desk.example; dmarc=pass header.from=vendor.example',
          subject: 'Invoice 2026-77',
        },
        buildPart('Your invoice is ready.'),
      ),
    expected: {
      ...PERSON,
      from: 'no-reply@vendor.example',
      fromName: 'Vendor Billing',
      subject: 'Invoice 2026-77',
      words: ['Your invoice is ready.'],
      kind: 'automatic',
    },
  },
  {
    name: 'an alert of a monitoring system, proven',
    raw: () =>
      buildEmail(
        {
          from: 'monitor@client.example',
          subject: 'PROBLEM: gate-7 is DOWN',
          more: ['Auto-Submitted: auto-generated', 'X-Priority: 1'],
        },
        buildPart('gate-7 does not answer to ping.'),
      ),
    expected: {
      ...PERSON,
      from: 'monitor@client.example',
      fromName: /^(monitor@client\.example)?$/,
      subject: 'PROBLEM: gate-7 is DOWN',
      words: ['gate-7 does not answer to ping.'],
      kind: 'automatic',
    },
  },
  {
    name: 'a person who answers an automatic reply, with "Auto-Submitted: no"',
    raw: () =>
      buildEmail(
        {
          subject: 'Re: Automatic reply: Out of office',
          more: ['Auto-Submitted: No', 'Precedence: first-class'],
        },
        buildPart('I am back, the gate is still stuck. This is no automatic reply.'),
      ),
    expected: {
      ...PERSON,
      subject: 'Re: Automatic reply: Out of office',
      words: ['I am back, the gate is still stuck.'],
    },
  },
  {
    name: 'an email from the address of the desk in capitals, proven, with an unknown id',
    raw: () =>
      buildEmail(
        {
          from: '"Gatehouse Desk" <DESK@Desk.Example>',
          results: 'mx.desk.example; dmarc=pass header.from=desk.example',
        },
        buildPart('We have received your request.'),
      ),
    expected: {
      ...PERSON,
      from: DESK,
      fromName: 'Gatehouse Desk',
      words: ['We have received your request.'],
      kind: 'own',
    },
  },
  {
    name: 'our email back from a mailing list that replaced the sender and added a bulk header',
    raw: ({ messageId, replyAddress }) =>
      buildEmail(
        {
          returnPath: 'gates-bounces@lists.client.example',
          results: null,
          from: '"Gatehouse Desk via gates" <gates@lists.client.example>',
          to: 'gates@lists.client.example',
          messageId,
          more: [`Reply-To: ${replyAddress}`, 'Precedence: list'],
        },
        buildPart('We have received your request.'),
      ),
    expected: {
      ...PERSON,
      from: 'gates@lists.client.example',
      fromName: 'Gatehouse Desk via gates',
      words: ['We have received your request.'],
      kind: 'own',
      recipients: [DESK, 'gates@lists.client.example'],
      isProven: false,
      why: 'A Message-ID of ours is ours, whoever passed it on.',
    },
  },
]
