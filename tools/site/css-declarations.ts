/** A declaration of one selector; `rule` is the selector after its layer and media queries. */
export type Declaration = { rule: string; property: string; value: string }

/** Parses CSS as Sass prints it. Without declarations that a later one of the same rule replaces. */
export function parseDeclarations(css: string): Declaration[] {
  const found = new Map<string, Declaration>()
  const blocks: string[] = []
  let text = ''
  for (const [token] of css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .matchAll(/"[^"]*"|'[^']*'|[{};]|[^"'{};]+/g)) {
    if (token === '{') {
      blocks.push(text)
      text = ''
    } else if (token === ';' || token === '}') {
      for (const declaration of declarationsOf(blocks, text)) {
        const key = `${declaration.rule} ${declaration.property}`
        found.delete(key)
        found.set(key, declaration)
      }
      text = ''
      if (token === '}') blocks.pop()
    } else text += token
  }
  return [...found.values()]
}

function declarationsOf(blocks: string[], text: string): Declaration[] {
  const [, property, value = ''] = /^\s*([\w-]+):(.*)$/s.exec(text) ?? []
  if (!property) return []
  const outer = blocks.slice(0, -1).map(normaliseSelector)
  // Commas between selectors, not those within `:is(…)`.
  return (blocks.at(-1) ?? '').split(/,(?![^(]*\))/).map((selector) => ({
    rule: [...outer, normaliseSelector(selector)].join(' '),
    property,
    value: normaliseValue(value),
  }))
}

const normaliseSelector = (selector: string) =>
  selector.trim().replaceAll(/\s+/g, ' ').replaceAll(/["']/g, '')

/** Opaque colours become #rrggbb, the precision in which browsers draw them. */
const normaliseValue = (value: string) =>
  value
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/%(23|28|29)/g, (sign) => decodeURIComponent(sign))
    .replaceAll(/rgb\(([\d.]+)%, ([\d.]+)%, ([\d.]+)%\)/g, (_colour, ...shares: string[]) =>
      toHex(shares.slice(0, 3)),
    )
    .replaceAll(/#([\da-f])([\da-f])([\da-f])(?![\da-f])/gi, '#$1$1$2$2$3$3')
    .replace(/^white$/, '#ffffff')
    .replace(/^black$/, '#000000')

/** Sass prints ten digits, so that a half may become slightly less than a half. */
function toHex(percentages: string[]) {
  const bytes = percentages.map((share) =>
    Math.round(Number((Number(share) * 2.55).toFixed(6)))
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${bytes.join('')}`
}
