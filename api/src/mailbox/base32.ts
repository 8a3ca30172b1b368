/** RFC 4648, in lower case: mail servers may change the case of a local part. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const BITS = 5

/** Without padding; the last character carries what is left. */
export function toBase32(bytes: Uint8Array) {
  let [text, buffer, bits] = ['', 0, 0]
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= BITS) {
      bits -= BITS
      text += ALPHABET[(buffer >> bits) & 31]
    }
    buffer &= (1 << bits) - 1
  }
  return bits > 0 ? text + ALPHABET[(buffer << (BITS - bits)) & 31] : text
}

/** Of a text that `toBase32` could have written; characters of other alphabets count as zero. */
export function fromBase32(text: string) {
  const bytes: number[] = []
  let [buffer, bits] = [0, 0]
  for (const character of text) {
    buffer = (buffer << BITS) | Math.max(0, ALPHABET.indexOf(character))
    bits += BITS
    if (bits >= 8) {
      bits -= 8
      bytes.push((buffer >> bits) & 255)
    }
    buffer &= (1 << bits) - 1
  }
  return Uint8Array.from(bytes)
}
