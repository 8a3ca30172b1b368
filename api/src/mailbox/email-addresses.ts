import { addressParser } from 'postal-mime'

export type EmailAddress = { address: string; name: string }

const ADDRESS = /^[^\s<>()[\],;:\\"@\p{C}]{1,64}@[^\s<>()[\],;:\\"@\p{C}]{1,253}$/u
/** Parsing takes linear time, but lists of megabytes are no one's. */
const FIELD_MAX = 100_000

/** ASCII only: other letters fold to ASCII ones, so one address would pass for another. */
export const toLowerAscii = (text: string) =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Addresses of fields, in their order, each once. Names are not cleaned. */
export function addressesOf(fields: readonly string[]): EmailAddress[] {
  const found = new Map<string, string>()
  for (const field of fields)
    for (const { address = '', name } of addressParser(field.slice(0, FIELD_MAX), {
      flatten: true,
    })) {
      const key = toLowerAscii(address)
      if (ADDRESS.test(key) && !found.has(key)) found.set(key, name)
    }
  return [...found].map(([address, name]) => ({ address, name }))
}

/**
 * The sender, if there is one From line with one address. With two of them a server could verify one and a reader show the
 * other.
 */
export function onlySender(fromLines: readonly string[]): EmailAddress | null {
  const [line = ''] = fromLines
  if (fromLines.length !== 1 || line.length > FIELD_MAX) return null
  const [sender, ...others] = addressesOf([line])
  if (!sender || others.length > 0) return null
  const written = new Set(writtenAddresses(line))
  return written.size === 1 && written.has(sender.address) ? sender : null
}

/** As they stand outside quotes and comments: parsers take a second one for a part of the name. */
const writtenAddresses = (line: string) =>
  (withoutQuotes(line).match(/[^\s<>,;:"()]*@[^\s<>,;:"()]+/g) ?? []).map(toLowerAscii)

/** Without quoted strings and comments, also nested ones. All of the rest if one doesn't end. */
function withoutQuotes(line: string) {
  let [kept, depth, isQuoted] = ['', 0, false]
  for (let at = 0; at < line.length; at++) {
    const character = line[at] as string
    if (character === '\\' && (isQuoted || depth > 0)) at++
    else if (character === '"' && depth === 0) isQuoted = !isQuoted
    else if (!isQuoted && character === '(') depth++
    else if (!isQuoted && character === ')' && depth > 0) depth--
    else if (!isQuoted && depth === 0) kept += character
  }
  return isQuoted || depth > 0 ? line : kept
}
