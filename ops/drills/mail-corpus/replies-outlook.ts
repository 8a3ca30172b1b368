import { buildHtmlPart, buildMultipart, buildPart, toCrlf } from './build-email.ts'
import type { CorpusEmail } from './expected.ts'
import { buildPlainReply, buildReply, OUR_ANSWER, OUR_WORDS, REPLY } from './reply-text.ts'

const ADDRESS = 'desk+42.abcdefghijklmnop@desk.example'

/** New words, a block of headers, our answer unmarked: as Outlook replies. */
const describeReply = (name: string, text: string, block: string[]) =>
  buildPlainReply(name, `${text}\n\n${block.join('\n')}\n\n${OUR_ANSWER}\n`, {
    words: text.split('\n\n').slice(0, 1),
    quotedWords: OUR_WORDS,
  })

const RULE = '________________________________'

const buildOutlookHtml = (subject: string) =>
  [
    '<html><head><style>p.MsoNormal { margin: 0cm; font-size: 11pt }</style></head><body>',
    '<div class="WordSection1"><p class="MsoNormal">The green lamp is lit now.</p>',
    '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">',
    `<p class="MsoNormal"><b>From:</b> Gatehouse Desk &lt;${ADDRESS}&gt;<br>`,
    '<b>Sent:</b> Monday, November 2, 2026 10:00 AM<br>',
    `<b>To:</b> Erika Muster &lt;erika@client.example&gt;<br><b>Subject:</b> ${subject}</p></div>`,
    ...OUR_ANSWER.split('\n').map((line) => `<p class="MsoNormal">${line || '&nbsp;'}</p>`),
    '</div></body></html>',
  ].join('\r\n')

export const OUTLOOK_REPLIES: CorpusEmail[] = [
  {
    name: 'a reply from Outlook in English as text and HTML',
    raw: buildReply(
      buildMultipart('alternative', [
        buildPart(
          toCrlf(
            `The green lamp is lit now.\n\nFrom: Gatehouse Desk <${ADDRESS}>\nSent: Monday, November 2, 2026 10:00 AM\nTo: Erika Muster <erika@client.example>\nSubject: Gate\n\n${OUR_ANSWER}\n`,
          ),
          { type: 'text/plain; charset="us-ascii"', encoding: 'quoted-printable' },
        ),
        buildHtmlPart(buildOutlookHtml('Gate')),
      ]),
      { more: ['Thread-Topic: Gate', 'X-Mailer: Microsoft Outlook 16.0'] },
    ),
    expected: {
      ...REPLY,
      words: ['The green lamp is lit now.'],
      quotedWords: OUR_WORDS,
      files: [{ name: 'email.html', words: ['The green lamp is lit now.'] }],
    },
  },
  describeReply(
    'a reply from Outlook on an iPhone, its signature a link',
    'The green lamp is lit now.\n\nGet Outlook for iOS<https://outlook.example/o0ukef>',
    [
      RULE,
      `From: Gatehouse Desk <${ADDRESS}>`,
      'Sent: Monday, November 2, 2026 10:00:00 AM',
      'To: Erika Muster <erika@client.example>',
      'Subject: Gate',
    ],
  ),
  describeReply('a reply from Outlook in German', 'Die grüne Lampe leuchtet jetzt.', [
    `Von: Gatehouse Desk <${ADDRESS}>`,
    'Gesendet: Montag, 2. November 2026 10:00',
    'An: Erika Muster <erika@client.example>',
    'Betreff: Gate',
  ]),
  describeReply('a reply from an old Outlook in German', 'Die grüne Lampe leuchtet jetzt.', [
    '-----Ursprüngliche Nachricht-----',
    `Von: Gatehouse Desk [mailto:${ADDRESS}]`,
    'Gesendet: Montag, 2. November 2026 10:00',
    'An: Erika Muster',
    'Betreff: Gate',
  ]),
  describeReply('a reply from Outlook in French', 'Le voyant vert est allumé.', [
    `De : Gatehouse Desk <${ADDRESS}>`,
    'Envoyé : lundi 2 novembre 2026 10:00',
    'À : Erika Muster <erika@client.example>',
    'Objet : Gate',
  ]),
  describeReply('a reply from Outlook in Polish', 'Zielona kontrolka już świeci.', [
    `Od: Gatehouse Desk <${ADDRESS}>`,
    'Wysłano: poniedziałek, 2 listopada 2026 10:00',
    'Do: Erika Muster <erika@client.example>',
    'Temat: Gate',
  ]),
]
