import {
  commentOf,
  exampleOf,
  findAll,
  identifierName,
  walk,
  type Node,
  type Source,
} from './parse-source.ts'

export const ENV_FILE = 'api/src/platform/env.ts'

export type Setting = {
  name: string
  type: string
  /** Empty: none. */
  fallback: string
  isRequired: boolean
  meaning: string
  example: string
}

export type SettingGroup = { name: string; intro: string; settings: Setting[] }

type SettingRead = { name: string; node: Node; around: Node[] }

/** Settings that `readEnv` reads, by the property they become part of, required ones first. Each needs a comment. */
export function settingsOf(source: Source): SettingGroup[] {
  const groups = new Map<string, SettingGroup>()
  const seen = new Set<string>()
  for (const found of readsOf(source.program)) {
    if (seen.has(found.name)) continue
    seen.add(found.name)
    const owner = found.around.find(
      (node) => DECLARING.includes(node.type) && identifierName(node) !== found.name,
    )
    const meaning = owner ? commentOf(source, owner) : ''
    if (!owner || meaning === '')
      throw new Error(`${ENV_FILE}: ${found.name} needs a TSDoc comment above its property`)
    const { name, intro } = groupOf(source, found)
    const group = groups.get(name) ?? { name, intro, settings: [] }
    groups.set(name, group)
    const example = exampleOf(source, owner)
    group.settings.push({ name: found.name, meaning, example, ...typeAndDefault(found) })
    if (isSecret(found.node)) group.settings.push(fileOf(found.name))
  }
  return [...groups.values()].map((group) => ({
    ...group,
    settings: group.settings.toSorted(
      (one, other) => Number(other.isRequired) - Number(one.isRequired),
    ),
  }))
}

const DECLARING = ['Property', 'VariableDeclaration']
const SECRET_READER = 'secret'
const READERS: Record<string, string> = {
  text: 'text',
  number: 'number',
  list: 'list',
  [SECRET_READER]: 'text',
}

const isSecret = (node: Node) => identifierName(node['callee']) === SECRET_READER

/** The setting that `secret('NAME')` reads besides NAME. */
const fileOf = (name: string): Setting => ({
  name: `${name}_FILE`,
  type: 'text',
  fallback: '',
  isRequired: false,
  meaning: `File that holds \`${name}\`, instead of it.`,
  example: '',
})

/** `source.NAME`, `text('NAME')` and so on, except in checks, which come after the declaration. */
function readsOf(program: Node): SettingRead[] {
  const found: SettingRead[] = []
  walk(program, (node, around) => {
    const isCheck = around.some(({ type }) => type === 'IfStatement')
    const isSource = node.type === 'MemberExpression' && identifierName(node['object']) === 'source'
    const name = isSource
      ? identifierName(node['property'])
      : isReader(node)
        ? identifierName(argumentsOf(node)[0])
        : ''
    if (!isCheck && /^[A-Z][A-Z\d_]+$/.test(name)) found.push({ name, node, around })
  })
  return found
}

/** The object of `env` around the setting, such as `mail`; the first group has no name. */
function groupOf(source: Source, { around }: SettingRead) {
  const helper = around.find(({ type }) => type === 'FunctionDeclaration')
  const outer =
    callerOf(source, identifierName(helper)) ?? around.findLast(({ type }) => type === 'Property')
  const value = outer?.['value'] as Node | undefined
  const isGroup = value?.type === 'ObjectExpression' || value?.type === 'CallExpression'
  return outer && isGroup && !isReader(value)
    ? { name: identifierName(outer), intro: commentOf(source, outer) }
    : { name: '', intro: '' }
}

/** The property whose value a function of the file returns: `directory: directoryOf(source)`. */
const callerOf = ({ program }: Source, helper: string) =>
  findAll(program, 'Property').find(
    ({ value }) => identifierName((value as Node)['callee']) === helper && helper !== '',
  )

const isReader = (node: Node) =>
  node.type === 'CallExpression' && identifierName(node['callee']) in READERS

/** Type and default, from the expression around the setting. */
function typeAndDefault({ node, around }: SettingRead) {
  const [parent, next] = around as [Node, Node]
  const facts = { type: 'text', fallback: '', isRequired: false }
  if (isSecret(node)) return facts
  if (node.type === 'CallExpression') {
    const [, fallback] = argumentsOf(node)
    const type = READERS[identifierName(node['callee'])] ?? 'text'
    return { type, fallback: literalOf(fallback), isRequired: fallback === undefined }
  }
  if (parent.type === 'LogicalExpression')
    return { ...facts, fallback: literalOf(parent['right'] as Node) }
  if (parent.type === 'ConditionalExpression')
    return { ...facts, type: identifierName((parent['consequent'] as Node)['callee']) || 'text' }
  if (parent.type !== 'BinaryExpression') return facts
  const value = identifierName(parent['right'])
  if (parent['operator'] === '!==') return { ...facts, type: '`on` or `off`', fallback: 'on' }
  if (next.type !== 'ConditionalExpression') return { ...facts, type: `\`${value}\` or other text` }
  const fallback = literalOf(next['alternate'] as Node)
  return { ...facts, type: `\`${fallback}\` or \`${value}\``, fallback }
}

const argumentsOf = (node: Node) => node['arguments'] as Node[]

/** A default as an operator would write it. */
function literalOf(node: Node | undefined): string {
  if (node?.type === 'Literal') return node['value'] === null ? '' : String(node['value'])
  if (node?.type === 'TSAsExpression') return literalOf(node['expression'] as Node)
  if (node?.type === 'ConditionalExpression') return literalOf(node['consequent'] as Node)
  // fromRoot('…')
  if (node?.type === 'CallExpression') return literalOf(argumentsOf(node)[0])
  if (node?.type !== 'TemplateLiteral') return ''
  const names = (node['expressions'] as Node[]).map((part) => `<${identifierName(part)}>`)
  const texts = (node['quasis'] as Node[]).map(({ value }) => (value as { cooked: string }).cooked)
  return texts.map((text, index) => text + (names[index] ?? '')).join('')
}
