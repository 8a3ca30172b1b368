const HEX = /^#[0-9a-f]{6}$/

export function mix(colour: string, other: string, share: number) {
  const [from, to] = [channels(colour), channels(other)]
  const mixed = from.map((value, place) =>
    Math.round(value + ((to[place] ?? 0) - value) * share)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${mixed.join('')}`
}

/** WCAG 2 contrast ratio: 1 (identical) to 21 (black on white). */
export function contrast(one: string, other: string) {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string) {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function channels(colour: string) {
  if (!HEX.test(colour)) throw new Error(`${colour} is not a colour such as #0f5244`)
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
}
