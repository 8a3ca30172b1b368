import type { CorpusEmail } from './expected.ts'
import { ANSWER, ANSWER_WORDS, buildPlainReply, OUR_ANSWER, quoteLines } from './reply-text.ts'

/** Replies in which the place of the new words, or words like those of a quote, mislead. */
export const PLACED_REPLIES: CorpusEmail[] = [
  buildPlainReply(
    'answers between the quoted lines',
    'Hello,\n\n> Please switch the controller off and on\n\nDone.\n\n> and tell us which lamp is lit.\n\nGreen.\n',
    { words: ['Done.', 'Green.'] },
  ),
  buildPlainReply(
    'an answer below the quote, in flowed text',
    `On 02/11/2026 10:00, Gatehouse Desk wrote:\n${quoteLines(OUR_ANSWER)}\n\n${ANSWER}\n`,
    { words: ANSWER_WORDS },
    { type: 'text/plain; charset=UTF-8; format=flowed' },
  ),
  buildPlainReply(
    'a text in which somebody "wrote:" something',
    'On Monday the operator wrote:\nthe lamp is red\n\nWhat now?\n',
    { words: ['the lamp is red', 'What now?'] },
  ),
  buildPlainReply(
    'a text that shows "From:" and "To:" of a configuration',
    'The file says:\nFrom: 10.0.0.1\nTo: 10.0.0.9\n\nIs that right?\n',
    { words: ['From: 10.0.0.1', 'To: 10.0.0.9', 'Is that right?'] },
  ),
  buildPlainReply(
    'a text with lines of dashes and a prompt like a quote',
    'The log:\n-----\nerror 5\n-----\nI ran:\n> show version\n> show log\nand it says OK\n',
    { words: ['error 5', 'show version', 'and it says OK'] },
  ),
  buildPlainReply(
    'a signature below two dashes',
    `${ANSWER}\n\n-- \nErika Muster\nClient GmbH, Am Tor 1\n`,
    {
      words: ['The green lamp is lit now.'],
      wordsAnywhere: ['Client GmbH, Am Tor 1'],
      why: 'A signature may be shown or cut, but not lost.',
    },
  ),
  buildPlainReply(
    'a forwarded email as text below two sentences',
    'See below, it is their fault.\n\n---------- Forwarded message ---------\nFrom: Vendor <v@vendor.example>\nDate: Mon, Nov 2, 2026 at 9:00 AM\nSubject: RMA\nTo: <erika@client.example>\n\nThe RMA number is 77.\n',
    {
      words: ['See below, it is their fault.', 'The RMA number is 77.'],
      why: 'The forwarded text is what the sender wants to say.',
    },
  ),
]
