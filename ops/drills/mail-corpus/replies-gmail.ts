import { buildEmail, buildHtmlPart, buildMultipart, buildPart, toCrlf } from './build-email.ts'
import { encodeText } from './encode-text.ts'
import type { CorpusEmail } from './expected.ts'
import {
  ANSWER,
  ANSWER_WORDS,
  buildPlainReply,
  buildReply,
  OUR_ANSWER,
  OUR_WORDS,
  quoteLines,
  REPLY,
} from './reply-text.ts'

/** New words, the line before the quote, the quote: as Gmail, Apple Mail and Thunderbird reply. */
const describeReply = (name: string, text: string, attribution: string) =>
  buildPlainReply(name, `${text}\n\n${attribution}\n\n${quoteLines(OUR_ANSWER)}\n`, {
    words: text.split('\n\n').slice(0, 1),
    absentWords: attribution.split('\n').slice(0, 1),
    quotedWords: OUR_WORDS,
  })

const ADDRESS = 'desk+42.abcdefghijklmnop@desk.example'

const HTML_QUOTE = `<blockquote type="cite"><p>${OUR_ANSWER.replaceAll('\n', '<br>')}</p></blockquote>`

/** The same with its charset, in quoted-printable. */
const describeCharset = (charset: string, name: string, text: string, attribution: string) => {
  const body = `${text}\n\n${attribution}\n\n${quoteLines(OUR_ANSWER)}\n`
  const type = `text/plain; charset="${charset}"`
  return {
    ...describeReply(name, text, attribution),
    raw: buildReply(
      buildPart(encodeText(charset, toCrlf(body)), { type, encoding: 'quoted-printable' }),
    ),
  }
}

export const GMAIL_REPLIES: CorpusEmail[] = [
  {
    name: 'a reply from Gmail in English, its attribution wrapped in the address, with HTML',
    raw: buildReply(
      buildMultipart('alternative', [
        buildPart(
          toCrlf(
            `${ANSWER}\n\nOn Mon, Nov 2, 2026 at 10:00 AM Gatehouse Desk <\n${ADDRESS}> wrote:\n\n${quoteLines(OUR_ANSWER)}\n`,
          ),
        ),
        buildHtmlPart(
          `<div dir="ltr">The green lamp is lit now.</div><br><div class="gmail_quote">${HTML_QUOTE}</div>`,
        ),
      ]),
    ),
    expected: {
      ...REPLY,
      words: ANSWER_WORDS,
      quotedWords: OUR_WORDS,
      files: [{ name: 'email.html', words: ['The green lamp is lit now.'] }],
    },
  },
  describeCharset(
    'iso-8859-1',
    'a reply from Gmail in German, in ISO-8859-1',
    'Die grüne Lampe leuchtet jetzt.',
    `Am Mo., 2. Nov. 2026 um 10:00 Uhr schrieb Gatehouse Desk <${ADDRESS}>:`,
  ),
  describeCharset(
    'iso-8859-15',
    'a reply from Gmail in French, in ISO-8859-15 with a euro sign',
    'Le voyant vert est allumé, cela nous a coûté 20 €.',
    `Le lun. 2 nov. 2026 à 10:00, Gatehouse Desk <${ADDRESS}> a écrit :`,
  ),
  describeReply(
    'a reply from Gmail in Spanish with the signature of a phone',
    'La luz verde ya está encendida.\n\nEnviado desde mi Samsung',
    `El lun, 2 nov 2026 a las 10:00, Gatehouse Desk (<${ADDRESS}>) escribió:`,
  ),
  describeReply(
    'a reply from Gmail in Italian',
    'La spia verde è accesa.',
    `Il giorno lun 2 nov 2026 alle ore 10:00 Gatehouse Desk <${ADDRESS}> ha scritto:`,
  ),
  describeReply(
    'a reply from Gmail in Dutch',
    'Het groene lampje brandt nu.',
    `Op ma 2 nov 2026 om 10:00 schreef Gatehouse Desk <${ADDRESS}>:`,
  ),
  describeCharset(
    'iso-8859-2',
    'a reply from Gmail in Polish, in ISO-8859-2',
    'Zielona kontrolka już świeci, dziękuję.',
    `pon., 2 lis 2026 o 10:00 Gatehouse Desk <${ADDRESS}> napisał(a):`,
  ),
  describeCharset(
    'windows-1252',
    'a reply from Gmail in Swedish, in windows-1252',
    'Den gröna lampan lyser nu – tack!',
    `Den mån 2 nov. 2026 kl 10:00 skrev Gatehouse Desk <${ADDRESS}>:`,
  ),
  describeCharset(
    'windows-1250',
    'a reply from Gmail in Czech, in windows-1250',
    'Zelená kontrolka už svítí, děkuji.',
    `po 2. 11. 2026 v 10:00 odesílatel Gatehouse Desk <${ADDRESS}> napsal:`,
  ),
  {
    name: 'a reply from Gmail of HTML alone',
    raw: buildReply(
      buildHtmlPart(
        `<div dir="ltr">The green lamp is lit now.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Nov 2, 2026 at 10:00 AM Gatehouse Desk &lt;<a href="mailto:${ADDRESS}">${ADDRESS}</a>&gt; wrote:<br></div>${HTML_QUOTE}</div>`,
      ),
    ),
    expected: {
      ...REPLY,
      words: ['The green lamp is lit now.'],
      quotedWords: ['switch the controller off and on'],
      files: [{ name: 'email.html', words: ['The green lamp is lit now.'] }],
    },
  },
  describeReply(
    'a reply from Proton Mail',
    'The green lamp is lit now.',
    `On Monday, November 2nd, 2026 at 10:00 AM, Gatehouse Desk <${ADDRESS}> wrote:`,
  ),
  describeReply(
    'a reply from an iPhone in English, its signature above the quote',
    'The green lamp is lit now.\n\nSent from my iPhone',
    `> On 2 Nov 2026, at 10:00, Gatehouse Desk <${ADDRESS}> wrote:\n>`,
  ),
  describeReply(
    'a reply from an iPhone in German, its signature above the quote',
    'Die grüne Lampe leuchtet jetzt.\n\nVon meinem iPhone gesendet',
    `Am 02.11.2026 um 10:00 schrieb Gatehouse Desk <${ADDRESS}>:`,
  ),
  describeReply(
    'a reply from Thunderbird in German',
    'Die grüne Lampe leuchtet jetzt.',
    'Am 02.11.26 um 10:00 schrieb Gatehouse Desk:',
  ),
  {
    name: 'a reply without an address of ours, known only by References among other ids',
    raw: ({ messageId }) => {
      const ids = `<one@client.example> <${messageId}>\r\n\t<three@client.example>`
      const more = ['In-Reply-To: <three@client.example>', `References: ${ids}`]
      return buildEmail({ subject: 'Re: Gate', more }, buildPart(toCrlf(ANSWER)))
    },
    expected: {
      ...REPLY,
      words: ANSWER_WORDS,
      references: ['one@client.example', '{OUR_MESSAGE_ID}', 'three@client.example'],
      recipients: ['desk@desk.example'],
    },
  },
]
