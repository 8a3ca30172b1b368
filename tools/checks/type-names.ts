import { FIELD_TYPES } from '@gatehouse/model'
import { findAll, identifierName, parseSource, walk, type Node } from '../docs/parse-source.ts'

/** Files that map type names to facts. */
const TABLES = ['model/src/definition/field-types.ts', 'web/src/forms/inputs/types.ts']
/** Type names of other languages: JSON Schema's, JavaScript's. */
const OTHER_TYPES = ['tools/openapi/schema-diff.ts']

const IS_TYPE = /^(type|\w*Type)$/
const EQUALITY = ['===', '!==', '==', '!=']
const NAMES = new Set(Object.keys(FIELD_TYPES))

/** Places that decide by the name of a field type instead of a fact: a new type would pass them unnoticed. */
export async function comparedTypeNames(sources: Map<string, string>) {
  const read = [...sources].filter(([path, text]) => isChecked(path) && mentionsName(text))
  const found = await Promise.all(
    read.map(async ([path, text]) => {
      const { program } = await parseSource(text)
      return namesComparedIn(program).map(
        ({ name, at }) =>
          `${path}:${lineOf(text, at)} decides by the type "${name}": use a fact of ${TABLES[0]}`,
      )
    }),
  )
  return found.flat()
}

const isChecked = (path: string) =>
  /^(model|api|web)\/src\/.*\.tsx?$|^tools\/.*\.ts$/.test(path) &&
  !/\.test(-d)?\.tsx?$|^tools\/checks\//.test(path) &&
  ![...TABLES, ...OTHER_TYPES].includes(path)

/** Cheaper than parsing every file: whether a type may be compared in it, or used as a key. */
const mentionsName = (text: string) =>
  /type(Of\([^()]*\))?[)\]]?\s*[!=]==?|[!=]==?\s*[\w.?]*type\b|(switch|includes|has)\s*\(.*type|\[[\w.?]*type(Of\(.*\))?\]|\['type'\]|FIELD_TYPES\./i.test(
    text,
  )

const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length

type Found = { name: string; at: number }

function namesComparedIn(program: Node): Found[] {
  const found: Found[] = []
  const add = (node: Node, names: string[]) =>
    found.push(
      ...names.filter((name) => NAMES.has(name)).map((name) => ({ name, at: node.range[0] })),
    )
  walk(program, (node) => {
    const part = (name: string) => node[name] as Node
    if (node.type === 'BinaryExpression' && EQUALITY.includes(String(node['operator']))) {
      const [left, right] = [part('left'), part('right')]
      if (isType(left)) add(node, stringsIn(right))
      if (isType(right)) add(node, stringsIn(left))
    }
    if (node.type === 'SwitchStatement' && isType(part('discriminant')))
      for (const one of node['cases'] as Node[]) add(one, stringsIn(one['test'] as Node | null))
    if (node.type === 'CallExpression' && (node['arguments'] as Node[]).some(isType))
      add(node, stringsIn(valueOf(program, (part('callee')['object'] as Node | undefined) ?? null)))
    if (node.type === 'MemberExpression' && node['computed'] && isType(part('property')))
      add(node, keysOf(valueOf(program, part('object'))))
    if (node.type === 'MemberExpression' && identifierName(part('object')) === 'FIELD_TYPES')
      if (!node['computed']) add(node, [identifierName(node['property'])])
    if (node.type === 'TSConditionalType' && isType(part('checkType')))
      add(node, findAll(part('extendsType'), 'Literal').map(identifierName))
  })
  return found
}

/** A variable or property named type, or the result of a function named so. */
function isType(node: Node | null | undefined): boolean {
  if (!node) return false
  if (node.type === 'Identifier') return IS_TYPE.test(identifierName(node))
  if (node.type === 'MemberExpression')
    return !node['computed'] && IS_TYPE.test(identifierName(node['property']))
  if (node.type === 'ChainExpression') return isType(node['expression'] as Node)
  if (node.type === 'CallExpression') return /typeOf$/i.test(identifierName(node['callee']))
  if (node.type === 'TSIndexedAccessType')
    return findAll(node['indexType'] as Node, 'Literal').some((one) => isTypeName(one))
  return false
}

const isTypeName = (literal: Node) => literal['value'] === 'type'

/** Strings of a literal or of a list of literals. */
const stringsIn = (node: Node | null): string[] =>
  node?.type === 'Literal' || node?.type === 'ArrayExpression'
    ? findAll(node, 'Literal').map(({ value }) => String(value))
    : node?.type === 'NewExpression'
      ? (node['arguments'] as Node[]).flatMap(stringsIn)
      : []

const keysOf = (node: Node | null): string[] =>
  node?.type === 'ObjectExpression' ? (node['properties'] as Node[]).map(identifierName) : []

/** The expression itself, or what the variable of this name is declared as in the file. */
function valueOf(program: Node, node: Node | null): Node | null {
  if (node?.type !== 'Identifier') return unwrapped(node)
  const declared = findAll(program, 'VariableDeclarator').find(
    (one) => identifierName(one) === identifierName(node),
  )
  return unwrapped((declared?.['init'] as Node | undefined) ?? null)
}

/** Without `as const` and `satisfies`. */
const unwrapped = (node: Node | null): Node | null =>
  node && /^TS(As|Satisfies)Expression$/.test(node.type)
    ? unwrapped(node['expression'] as Node)
    : node
