import { domainToASCII } from 'node:url'
import type { EmailHead } from './email-head.ts'
import { onlySender } from './email-addresses.ts'

/**
 * Whether the mail server of the desk verified the domain of the sender (DMARC). Only the topmost Authentication-Results with its
 * name counts: what arrived with the email stands below. `authserv` is null if none is set, or if the server lets forged ones
 * through.
 */
export function isSenderProven(head: Pick<EmailHead, 'all'>, authserv: string | null): boolean {
  const sender = onlySender(head.all('from'))
  if (!sender || !authserv) return false
  const own = head.all('authentication-results').find((field) => isNamed(field, authserv))
  const results = own === undefined ? null : dmarcResults(own)
  if (!results || results.length === 0) return false
  const domain = toDomain(sender.address)
  return (
    domain !== '' &&
    results.every(
      ({ result, domains }) =>
        result === 'pass' && domains.length > 0 && domains.every((one) => one === domain),
    )
  )
}

const isNamed = (field: string, authserv: string) =>
  tokensOf(field).tokens[0]?.text.toLowerCase() === authserv.toLowerCase()

/** RFC 8601, 2.2. Null if the field is malformed: a comment or quote that doesn't end may hide a result. */
function dmarcResults(field: string) {
  const { tokens, isComplete } = tokensOf(field)
  if (!isComplete) return null
  return splitAt(tokens, ';')
    .slice(1)
    .map(toResult)
    .filter((one) => one !== null)
}

/** Result and domains of From, if the method is DMARC. */
function toResult(tokens: Token[]) {
  const words = tokens.map(({ text }) => text)
  const equals = words.indexOf('=')
  // A version may follow: dmarc/1.
  if (words[0]?.toLowerCase() !== 'dmarc' || equals < 1) return null
  const domains = tokens.flatMap(({ text, isQuoted }, at) =>
    !isQuoted && text.toLowerCase() === 'header.from' && words[at + 1] === '='
      ? toDomain(words[at + 2] ?? '')
      : [],
  )
  return { result: words[equals + 1]?.toLowerCase(), domains }
}

type Token = { text: string; isQuoted: boolean }

const SPECIAL = ';=/'
const SPACE = /\s/

/** Words, quoted strings and separators, without comments, which may be nested. */
function tokensOf(field: string) {
  const tokens: Token[] = []
  let [word, quoted, depth, isQuoted] = ['', '', 0, false]
  const endWord = () => {
    if (word !== '') tokens.push({ text: word, isQuoted: false })
    word = ''
  }
  for (let at = 0; at < field.length; at++) {
    const character = field[at] as string
    const isEscape = character === '\\' && (isQuoted || depth > 0)
    if (isEscape) {
      at++
      if (isQuoted) quoted += field[at] ?? ''
    } else if (isQuoted) {
      if (character !== '"') quoted += character
      else {
        tokens.push({ text: quoted, isQuoted: true })
        ;[quoted, isQuoted] = ['', false]
      }
    } else if (character === '(') {
      endWord()
      depth++
    } else if (character === ')' && depth > 0) depth--
    else if (depth > 0) continue
    else if (character === '"') {
      endWord()
      isQuoted = true
    } else if (SPACE.test(character)) endWord()
    else if (SPECIAL.includes(character)) {
      endWord()
      tokens.push({ text: character, isQuoted: false })
    } else word += character
  }
  endWord()
  return { tokens, isComplete: depth === 0 && !isQuoted }
}

function splitAt(tokens: Token[], separator: string) {
  const parts: Token[][] = [[]]
  for (const token of tokens)
    if (token.text === separator && !token.isQuoted) parts.push([])
    else parts.at(-1)?.push(token)
  return parts
}

/** Of an address or of a domain, in the form in which two can be compared. */
const toDomain = (text: string) =>
  domainToASCII(text.slice(text.lastIndexOf('@') + 1)).toLowerCase()
