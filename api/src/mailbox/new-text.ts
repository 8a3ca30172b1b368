import EmailReplyParser from 'email-reply-parser'
import { cutText } from './clean-text.ts'

/** email-reply-parser is quadratic and worse in these; the rest of a longer text is in message.txt. */
const PARSED_MAX = 20_000
/** A line that introduces a quote is shorter. */
const LINE_MAX = 400
/** With these the parser looks for a quote's introduction over many lines: 1,600 of them take it a minute. */
const SLOW_WORD = /schreef|skrev|pisze|napisał|写道/
const SLOW_LINES_MAX = 3

/** Around the number of a line that is not parsed. No text has this code point: it is no character. */
const MARK = '\uFFFF'
const STAND_IN = /^[> ]*\uFFFF(\d+)\uFFFF/gm

/** The head of a quoted email as Outlook writes it: four lines with a label, the first with an address, in any language. */
const QUOTED_HEAD =
  /^[ \t]*\p{L}{1,12}[ \t]?:[^\n]{0,200}[<[][^\s<>@]{1,64}@[^\s<>@]{1,253}[>\]][^\n]{0,200}(?:\n[ \t]*\p{L}{1,20}[ \t]?: [^\n]{1,400}){3}/mu

/** What stands above a quote in any language: a line with a number, an address and a colon at its end, perhaps wrapped. */
const INTRODUCTION =
  /^(?!>)(?=[^\n]{0,300}\d)[^\n]{0,300}<[^\s<>@]{1,64}@[^\s<>@]{1,253}>(?:[^\n]{0,60}|[^\n]{0,60}\n[^\n>]{1,60}):\n+(?=>)/gm
const QUOTED_LINE = /^(?:>|$)/
/** Quoted lines between two lines of a text, with no blank line around them: output of a prompt. */
const PROMPT = /(?<=^(?![>\n])[^\n]*\n)(?:>[^\n]*\n)+(?=[^>\n])/gm
const ADDRESS_OR_NUMBER = /[\d@]/

/** Programs put these lines above what they forward, which is content and no quote. */
const FORWARDED =
  /^[ \t>*]*(?:-{2,}[ \t]*)?(?:Begin forwarded message|Forwarded message|Forwarded by|Original message forwarded|Weitergeleitete Nachricht|Anfang der weitergeleiteten (?:Nachricht|E-?Mail)|Message transféré|Début du message transféré|Début du message réexpédié|Mensaje reenviado|Inicio del mensaje reenviado|Messaggio inoltrato|Inizio messaggio inoltrato|Doorgestuurd bericht|Begin doorgestuurd bericht|Mensagem encaminhada|Vidarebefordrat meddelande|Videresendt meddelelse|Przekazana wiadomość|Treść przekazanej wiadomości|Přeposlaná zpráva|Пересылаемое сообщение|転送メッセージ)\b[ \t:.]*/imu

export type NewText = {
  /** What the sender wrote now. */
  text: string
  /** What a mail program added: quotes and signature, or all of the text if they stand between what is new. */
  quoted: string
  /** There is more than was split. */
  isCut: boolean
}

/** Splits a cleaned text. Each word of its first 20,000 characters is in one of both parts. */
export function splitNewText(cleaned: string): NewText {
  const collapsed = collapseBlankLines(cleaned.replaceAll(MARK, ''))
  const whole = cutText(collapsed, PARSED_MAX)
  const isCut = whole.length < collapsed.length
  const text = FORWARDED.test(whole) ? '' : parseNewText(whole)
  // Nothing is new in an email that is forwarded, or that consists of a quote.
  if (text === '') return { text: whole, quoted: '', isCut }
  const quoted = whole.startsWith(text) ? whole.slice(text.length).trim() : whole
  return { text, quoted, isCut }
}

function parseNewText(whole: string) {
  const { parsed, restore } = withoutMisleadingLines(beforeQuote(beforeQuotedHead(whole)))
  return restore(new EmailReplyParser().parseReply(parsed)).trim()
}

function beforeQuotedHead(text: string) {
  const at = text.search(QUOTED_HEAD)
  return at > 0 ? text.slice(0, at) : text
}

/** Only if nothing but the quote follows: answers may stand below or in between. */
function beforeQuote(text: string) {
  const introductions = [...text.matchAll(INTRODUCTION)]
  const [last] = introductions.slice(-1)
  if (!last || last.index === 0) return text
  const quote = text.slice(last.index + last[0].length).split('\n')
  return quote.every((line) => QUOTED_LINE.test(line)) ? text.slice(0, last.index) : text
}

/** Where the only quoted lines of a text stand in a paragraph, below a line that introduces nobody. */
function promptIn(text: string) {
  const [prompt, ...others] = text.matchAll(PROMPT)
  if (!prompt || others.length > 0) return null
  const above = text.slice(0, prompt.index).split('\n')
  const below = text.slice(prompt.index + prompt[0].length).split('\n')
  const isQuote =
    ADDRESS_OR_NUMBER.test(above.at(-2) ?? '') ||
    [...above, ...below].some((line) => line.startsWith('>'))
  if (isQuote) return null
  const start = above.length - 1
  return { start, end: start + prompt[0].split('\n').length - 1 }
}

/** 10,000 line ends in a row take the parser 55 seconds. */
const collapseBlankLines = (text: string) =>
  text
    .replaceAll(/[^\S\n]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

/** Long and slow lines, and those of a prompt, which the parser takes for a quote. */
function withoutMisleadingLines(text: string) {
  const leftOut: string[] = []
  let slow = 0
  const isSlow = (line: string) =>
    line.length > LINE_MAX || (SLOW_WORD.test(line) && ++slow > SLOW_LINES_MAX)
  const standInFor = (line: string) => `${MARK}${leftOut.push(line) - 1}${MARK}`
  const prompt = promptIn(text)
  const isOfPrompt = (at: number) => prompt !== null && at >= prompt.start && at < prompt.end
  const parsed = text
    .split('\n')
    .map((line, at) => {
      if (isOfPrompt(at)) return standInFor(line)
      return isSlow(line) ? `${quoteMarks(line)}${standInFor(line)}` : line
    })
    .join('\n')
  const restore = (part: string) =>
    part.replaceAll(STAND_IN, (_, index: string) => leftOut[Number(index)] ?? '')
  return { parsed, restore }
}

const quoteMarks = (line: string) => /^[> ]{0,20}/.exec(line)?.[0] ?? ''
