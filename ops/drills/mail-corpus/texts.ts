import {
  buildEmail,
  buildHtmlPart,
  buildMultipart,
  buildPart,
  buildPicture,
  seededBytes,
  sha256,
} from './build-email.ts'
import { PERSON, type CorpusEmail } from './expected.ts'
import { buildPlainReply, OUR_ANSWER, OUR_WORDS, quoteLines } from './reply-text.ts'

const PICTURE = seededBytes('only a picture', 5_000)

const TABLE = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>
<!--[if mso]><style>td { font-family: Arial }</style><![endif]--><title>A title</title></head>
<body><table border="1"><tr><td>North&nbsp;gate</td><td>stuck &amp; loud</td></tr>
<tr><td>South gate</td><td>3&#8201;&euro; &#x1F600; &lt;ok&gt;</td></tr></table>
<ul><li>first step</li><li>second step</li></ul>
<p>Steps are in<br>the <a href="https://wiki.client.example/gate?a=1&amp;b=2">manual</a>.</p>
<!-- a comment of the program --></body></html>`

export const TEXTS: CorpusEmail[] = [
  {
    name: 'flowed text with lines stuffed by a blank',
    raw: () =>
      buildEmail(
        {},
        buildPart(
          'The lamp at the northern gate has been \r\ndark since noon, \r\nas you know.\r\n From here on nothing helped.\r\n\r\n',
          { type: 'text/plain; charset=utf-8; format=flowed' },
        ),
      ),
    expected: {
      ...PERSON,
      words: ['gate has been dark since noon, as you know.', 'From here on nothing helped.'],
    },
  },
  {
    name: 'flowed text whose blanks at line ends are deleted',
    raw: () =>
      buildEmail(
        {},
        buildPart('Das Garagen \r\ntor klemmt seit  \r\n heute.\r\n', {
          type: 'text/plain; charset=utf-8; format=flowed; delsp=yes',
        }),
      ),
    expected: { ...PERSON, words: ['Das Garagentor klemmt seit heute.'] },
  },
  {
    name: 'HTML alone: a table, a list, entities, a link and comments for Outlook',
    raw: () => buildEmail({}, buildHtmlPart(TABLE)),
    expected: {
      ...PERSON,
      words: [
        'North gate',
        'stuck & loud',
        'South gate',
        '3 € 😀 <ok>',
        'first step',
        'second step',
        'manual',
      ],
      absentWords: ['font-family', 'comment of the program', '&nbsp;', '<td'],
      files: [{ name: 'email.html', words: ['first step'] }],
    },
  },
  {
    name: 'HTML that shows only a picture',
    raw: () =>
      buildEmail(
        {},
        buildMultipart('related', [
          buildHtmlPart('<html><body><img src="cid:scan@client.example" alt=""></body></html>'),
          buildPicture('scan.png', 'scan@client.example', PICTURE),
        ]),
      ),
    expected: {
      ...PERSON,
      absentWords: ['<img'],
      files: [{ name: 'scan.png', sha256: sha256(PICTURE) }, { name: 'email.html' }],
    },
  },
  buildPlainReply(
    'Hebrew with marks of direction, emoji joined by zero-width joiners, and a quote',
    `\u200fהשער תקוע\u200f מאז הבוקר\n\n\u202bتعطلت البوابة\u202c\n\nThe 👨‍👩‍👧 wait 🤷🏽‍♀️ in 🇮🇪 1️⃣\n\nOn 2 Nov 2026, at 10:00, Gatehouse Desk <desk+42.abcdefghijklmnop@desk.example> wrote:\n\n${quoteLines(OUR_ANSWER)}\n`,
    {
      words: ['השער תקוע מאז הבוקר', 'تعطلت البوابة', 'The 👨‍👩‍👧 wait 🤷🏽‍♀️ in 🇮🇪 1️⃣'],
      quotedWords: OUR_WORDS,
      why: 'Zero-width joiners are letters of emoji, not marks of direction.',
    },
  ),
]
