const ENCODERS = new Map<string, Map<string, Buffer>>()

/** Encodes text in any charset of one or two bytes per character that TextDecoder can decode. */
export function encodeText(charset: string, text: string) {
  const bytesOf = ENCODERS.get(charset) ?? buildEncoder(charset)
  ENCODERS.set(charset, bytesOf)
  const encoded = Array.from(text, (character) => {
    const bytes = bytesOf.get(character)
    if (!bytes) throw new Error(`${charset} has no ${character}`)
    return bytes
  })
  return Buffer.concat(encoded)
}

/** ISO-2022-JP: JIS X 0208 between the escapes `ESC $ B` and `ESC ( B`. */
export function encodeIso2022Jp(text: string) {
  return Buffer.concat(
    text.split(/([^\p{ASCII}]+)/u).map((run) => {
      if (/^\p{ASCII}*$/u.test(run)) return Buffer.from(run)
      const jis = encodeText('euc-jp', run).map((byte) => byte & 0x7f)
      return Buffer.concat([Buffer.from('\u001b$B'), jis, Buffer.from('\u001b(B')])
    }),
  )
}

/** UTF-7: runs outside ASCII in base64 of UTF-16, a plus sign as `+-`. */
export function encodeUtf7(text: string) {
  return text.replaceAll('+', '+-').replace(/[^\p{ASCII}]+/gu, (run) => {
    const base64 = Buffer.from(run, 'utf16le').swap16().toString('base64')
    return `+${base64.replaceAll('=', '')}-`
  })
}

function buildEncoder(charset: string) {
  const decoder = new TextDecoder(charset)
  const bytesOf = new Map<string, Buffer>()
  const add = (...codes: number[]) => {
    const bytes = Buffer.from(codes)
    const text = decoder.decode(bytes)
    const isCharacter = Array.from(text).length === 1 && text !== '\ufffd'
    if (isCharacter && !bytesOf.has(text)) bytesOf.set(text, bytes)
  }
  for (let code = 0; code <= 0xff; code++) add(code)
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) add(lead, trail)
  return bytesOf
}
