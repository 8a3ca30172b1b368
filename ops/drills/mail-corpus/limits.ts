import { buildEmail, buildHead, buildPart, concatBytes, CRLF, PASS } from './build-email.ts'
import { PERSON, type CorpusEmail } from './expected.ts'
import { ANSWER, ANSWER_WORDS, buildPlainReply } from './reply-text.ts'

const TEXT = 'The gate has been stuck since noon.'
const STAMP = `Authentication-Results: ${PASS}${CRLF}`

export const LIMITS: CorpusEmail[] = [
  {
    name: '300 kB of header lines between the results of our server and From',
    raw: () => {
      const filler = Array.from({ length: 3_000 }, (_, at) => {
        return `X-Filter-${at}: ${'checked '.repeat(11)}${CRLF}`
      })
      return concatBytes(STAMP, ...filler, buildHead({ results: null }), buildPart(TEXT))
    },
    expected: { ...PERSON, words: [TEXT] },
  },
  {
    name: 'a header line of 1 MB at the top',
    raw: () =>
      concatBytes(`X-Filter: ${'checked '.repeat(125_000)}${CRLF}`, buildHead(), buildPart(TEXT)),
    expected: { ...PERSON, words: [TEXT] },
  },
  {
    name: 'a folded subject of 2,000 characters with the number of a ticket',
    raw: () => {
      const subject = `[#42] The gate is stuck${`${CRLF} and it makes a noise`.repeat(95)}`
      return buildEmail({ subject }, buildPart(TEXT))
    },
    expected: {
      ...PERSON,
      subject: /^\[#42\] The gate is stuck and it makes a noise and it makes a noise/,
      words: [TEXT],
      why: 'A reader may shorten it.',
    },
  },
  {
    name: 'a text of 10 MB',
    raw: () => {
      const log = Array.from({ length: 160_000 }, (_, at) => {
        return `${at} gate-7 lamp red, controller does not answer, retry in 5 s${CRLF}`
      })
      return buildEmail({}, buildPart([TEXT, CRLF, ...log, 'The very last line.'].join('')))
    },
    expected: {
      ...PERSON,
      words: [TEXT],
      files: [{ name: 'message.txt', words: [TEXT, 'The very last line.'] }],
    },
  },
  {
    name: '10,000 empty lines in the middle of a text',
    raw: () => buildEmail({}, buildPart(`${TEXT}${CRLF.repeat(10_000)}Please call me.${CRLF}`)),
    expected: {
      ...PERSON,
      words: [TEXT],
      wordsAnywhere: ['Please call me.'],
      files: [{ name: 'message.txt', isOptional: true }],
    },
  },
  buildPlainReply(
    '100 kB of lines "On … wrote:" below a reply',
    `${ANSWER}\n\n${'On Mon, 2 Nov 2026 at 10:00, Gatehouse Desk <desk@desk.example> wrote:\n'.repeat(1_400)}`,
    { words: ANSWER_WORDS, files: [{ name: 'message.txt', isOptional: true }] },
  ),
]
