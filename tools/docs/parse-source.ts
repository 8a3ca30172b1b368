import { parsers } from 'prettier/plugins/typescript'

// TypeScript 7 has no stable compiler API; prettier's parser is already installed and keeps the comments.

/** A node of the syntax tree. */
export type Node = {
  type: string
  range: [start: number, end: number]
  [part: string]: unknown
}

export type Source = { text: string; program: Node; comments: Comment[] }
type Comment = { type: string; value: string; range: [start: number, end: number] }

export async function parseSource(text: string): Promise<Source> {
  const program = await parsers.typescript.parse(text, {} as never)
  return { text, program, comments: program.comments }
}

const isNode = (part: unknown): part is Node =>
  typeof part === 'object' && part !== null && 'type' in part && 'range' in part

const SKIPPED = new Set(['comments', 'tokens', 'parent', 'range', 'loc'])

export const childrenOf = (node: Node): Node[] =>
  Object.entries(node)
    .filter(([name, part]) => typeof part === 'object' && !SKIPPED.has(name))
    .flatMap(([, part]) => (Array.isArray(part) ? part : [part]).filter(isNode))
    .toSorted((one, other) => one.range[0] - other.range[0])

/** Calls `visit` for each node in source order, with the nodes around it, innermost first. */
export function walk(node: Node, visit: (node: Node, around: Node[]) => void, around: Node[] = []) {
  visit(node, around)
  for (const child of childrenOf(node)) walk(child, visit, [node, ...around])
}

export function findAll(node: Node, type: string): Node[] {
  const found: Node[] = []
  walk(node, (one) => {
    if (one.type === type) found.push(one)
  })
  return found
}

export const textOf = ({ text }: Source, node: Node) =>
  text.slice(...node.range).replaceAll(/\s+/g, ' ')

/** Name of an identifier, property or declaration; text of a string. */
export function identifierName(part: unknown): string {
  if (!isNode(part)) return ''
  if (part.type === 'Identifier') return String(part['name'])
  if (part.type === 'Literal') return String(part['value'])
  return identifierName(part['key'] ?? part['id'] ?? part['property'])
}

/** TSDoc right above the node, otherwise the `//` lines there; on one line, without tags. */
export function commentOf(source: Source, node: Node): string {
  const lines: string[] = []
  let [start] = node.range
  for (const { type, value, range } of source.comments.toReversed()) {
    if (range[1] > start) continue
    // A comment behind code belongs to that code.
    const line = source.text.slice(source.text.lastIndexOf('\n', range[0]) + 1, range[0])
    if (source.text.slice(range[1], start).trim() !== '' || line.trim() !== '') break
    if (type === 'Block' && lines.length > 0) break
    lines.unshift(value.replaceAll(/^\s*\*+ ?/gm, '').trim())
    if (type === 'Block') break
    start = range[0]
  }
  return (lines.join(' ').split(/(?:^|\s)@example\s/)[0] ?? '').replaceAll(/\s+/g, ' ').trim()
}

/** Value of the node's `@example`. */
export function exampleOf(source: Source, node: Node) {
  const [comment] = source.comments.filter(
    ({ range }) =>
      range[1] <= node.range[0] && source.text.slice(range[1], node.range[0]).trim() === '',
  )
  return /@example\s+(\S+)/.exec(comment?.value ?? '')?.[1] ?? ''
}

/** A type, constant or function of the file, with the comment above it. */
export function declarationOf(source: Source, name: string) {
  const statements = source.program['body'] as Node[]
  for (const statement of statements) {
    const inner = (statement['declaration'] ?? statement) as Node
    const declared = (inner['declarations'] as Node[] | undefined)?.[0] ?? inner
    if (identifierName(declared) === name && declared.type !== 'ExpressionStatement')
      return { node: declared, comment: commentOf(source, statement) }
  }
  throw new Error(`The reference needs "${name}", which is no longer declared`)
}

export type Member = { name: string; isOptional: boolean; type: string; comment: string }

/** Members of an object type, each with its comment. */
export function membersOf(source: Source, type: string): Member[] {
  const { node } = declarationOf(source, type)
  const outer = node['typeAnnotation'] as Node
  const literal = outer.type === 'TSTypeLiteral' ? outer : findAll(outer, 'TSTypeLiteral')[0]
  const members = (literal?.['members'] ?? []) as Node[]
  return members.map((member) => ({
    name: identifierName(member),
    isOptional: Boolean(member['optional']),
    type: isNode(member['typeAnnotation'])
      ? textOf(source, member['typeAnnotation']).replace(/^: /, '')
      : '',
    comment: commentOf(source, member),
  }))
}
