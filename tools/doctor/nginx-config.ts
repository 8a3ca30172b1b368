/** A directive of nginx, with those in its block. */
type Directive = { name: string; args: string[]; block: Directive[] }

const FILE = /^# configuration file (.+):$/m
const TOKEN = /#[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{};]|(?:\\.|\$\{[^}]*\}|[^\s{};"'\\])+/g

/** What `nginx -T` prints, file by file. */
export function parseNginx(text: string) {
  const [, ...parts] = text.split(FILE)
  return parts.flatMap((file, place) =>
    place % 2 === 0 ? [{ file, directives: parse(parts[place + 1] ?? '') }] : [],
  )
}

function parse(text: string) {
  const top: Directive[] = []
  const open = [top]
  let words: string[] = []
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue
    if (token === '}') open.pop()
    else if (token === ';' || token === '{') {
      const [name = '', ...args] = words
      const directive: Directive = { name, args, block: [] }
      open.at(-1)?.push(directive)
      if (token === '{') open.push(directive.block)
      words = []
    } else words.push(token)
  }
  return top
}

/** Those of this name, however deep. */
export const allNamed = (directives: Directive[], name: string): Directive[] =>
  directives.flatMap((one) => [...(one.name === name ? [one] : []), ...allNamed(one.block, name)])
