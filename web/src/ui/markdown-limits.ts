/**
 * The parser's time grows with the square of these counts: 50,000 characters of "a\n=\n" took 24 s. Texts that people write stay far
 * below; one above is shown as written.
 */
/** Except blank ones. */
const MAX_LINES = 3_000
/** Quotes and list items, once per level, and lines under headings. */
const MAX_BLOCK_MARKERS = 1_500
const MAX_BLOCK_DEPTH = 10
const MAX_LIST_INDENT = 40
const MAX_EMPHASIS_MARKERS = 2_000
const MAX_BRACKETS = 2_000
/** Each closing one searches the text since its opening one. */
const MAX_BRACKET_DEPTH = 50
/** The end of a code span is searched by the length of its mark. */
const MAX_CODE_MARK_LENGTHS = 10
/** Comments, declarations and instructions of HTML: the end of each is searched in the rest of the text. */
const MAX_HTML_OPENINGS = 50

/** More than blocks can reach within the limits above: emphasis in emphasis. */
const MAX_NODE_DEPTH = 100
/** Addresses and titles of definitions, once per reference to them. */
const MAX_REFERENCED = 100_000

const BLOCK_MARKERS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)))+/
const BLOCK_MARKER = />|[-+*]|\d+[.)]/g
const THEMATIC_BREAK = /^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/
/** Underscores inside a word don't emphasise. */
const EMPHASIS_MARKER = /\*{1,2}|(?<![\p{L}\p{N}])_{1,2}|_{1,2}(?![\p{L}\p{N}])/gu

/** Whether a text is cheap enough to be parsed, found in linear time. */
export function isParsable(text: string) {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim())
  if (lines.length > MAX_LINES) return false
  if (countOf(EMPHASIS_MARKER, text) > MAX_EMPHASIS_MARKERS) return false
  if (countOf(/\[/g, text) > MAX_BRACKETS || bracketDepthOf(text) > MAX_BRACKET_DEPTH) return false
  if (new Set(text.match(/`+/g)).size > MAX_CODE_MARK_LENGTHS) return false
  if (countOf(/<[!?]/g, text) > MAX_HTML_OPENINGS) return false
  let markers = 0
  for (const line of lines) {
    if (UNDERLINE.test(line)) markers += 1
    const [found = ''] = THEMATIC_BREAK.test(line) ? [] : (BLOCK_MARKERS.exec(line) ?? [])
    const depth = countOf(BLOCK_MARKER, found)
    if (depth > MAX_BLOCK_DEPTH || (depth > 0 && indentOf(line) > MAX_LIST_INDENT)) return false
    markers += depth
  }
  return markers <= MAX_BLOCK_MARKERS
}

function bracketDepthOf(text: string) {
  let depth = 0
  let deepest = 0
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    depth = bracket === '[' ? depth + 1 : Math.max(0, depth - 1)
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

const countOf = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0
const indentOf = (line: string) => (/^\s*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length

type Node = {
  type: string
  children?: Node[]
  value?: string
  identifier?: string
  url?: string
  title?: string | null
  position?: { start: { offset?: number }; end: { offset?: number } }
}

/** Turns nodes that are nested too deeply, or repeat too much, into the text they were written as. */
export const limitNodes = () => (tree: Node, file: { toString: () => string }) => {
  const source = file.toString()
  const sizes = definitionSizes(tree)
  let referenced = 0
  const isOver = ({ type, identifier = '' }: Node, depth: number) => {
    if (type.endsWith('Reference')) referenced += sizes.get(identifier) ?? 0
    return depth > MAX_NODE_DEPTH || (type.endsWith('Reference') && referenced > MAX_REFERENCED)
  }
  const limit = (parent: Node, depth: number) => {
    for (const [index, child] of (parent.children ?? []).entries())
      if (isOver(child, depth)) parent.children?.splice(index, 1, toSource(child, source))
      else limit(child, depth + 1)
  }
  limit(tree, 1)
}

/** Not recursive: the tree is not limited yet. */
function definitionSizes(tree: Node) {
  const sizes = new Map<string, number>()
  const pending = [tree]
  for (const { type, children = [], identifier = '', url = '', title } of pending) {
    if (type === 'definition' && !sizes.has(identifier))
      sizes.set(identifier, url.length + (title?.length ?? 0))
    for (const child of children) pending.push(child)
  }
  return sizes
}

const toSource = ({ position }: Node, source: string): Node => ({
  type: 'text',
  value: source.slice(position?.start.offset, position?.end.offset),
})
