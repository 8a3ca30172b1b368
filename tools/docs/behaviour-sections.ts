import { code, table } from './markdown.ts'
import { hookOrder } from './hook-order.ts'
import {
  commentOf,
  declarationOf,
  findAll,
  membersOf,
  identifierName,
  type Node,
  type Source,
} from './parse-source.ts'
import type { Sources } from './sources.ts'

const PRODUCT = 'api/src/product.ts'

/** Hooks and mails of a model's behaviour. */
export type BehaviourFacts = { path: string; hooks: string[]; mails: MailKind[] }
type MailKind = { kind: string; confirms: string; comment: string }

/** The product's behaviours, from the files that `BEHAVIOURS` of the product imports. */
export async function readBehaviours(sources: Sources): Promise<BehaviourFacts[]> {
  const product = await sources.parse(PRODUCT)
  const names = findAll(declarationOf(product, 'BEHAVIOURS').node, 'Identifier').map(identifierName)
  return Promise.all(
    names
      .filter((name) => name !== 'BEHAVIOURS')
      .map(async (name) => {
        const file = importedFrom(product, PRODUCT, name)
        const source = await sources.parse(file)
        const call = declarationOf(source, name).node['init'] as Node
        const [model, parts] = call['arguments'] as [Node, Node]
        const properties = parts['properties'] as Node[]
        const mails = properties.find((one) => identifierName(one) === 'mails')?.['value']
        return {
          path: identifierName(model),
          hooks: properties.flatMap(hooksOf),
          mails: mails ? await mailKinds(sources, source, file, identifierName(mails)) : [],
        }
      }),
  )
}

function hooksOf(property: Node) {
  const name = identifierName(property)
  if (name === 'validate') return [name]
  if (name !== 'before' && name !== 'after') return []
  const events = (property['value'] as Node)['properties'] as Node[]
  return events.map((event) => `${name}.${identifierName(event)}`)
}

/** File that a name is imported from. */
function importedFrom({ program }: Source, file: string, name: string) {
  const found = (program['body'] as Node[]).find(
    (node) =>
      node.type === 'ImportDeclaration' &&
      (node['specifiers'] as Node[]).some((one) => identifierName(one['local']) === name),
  )
  const from = identifierName(found?.['source'])
  if (from === '') return file
  return from.startsWith('#')
    ? `api/src/${from.slice(1)}`
    : file.replace(/[^/]+$/, from.replace('./', ''))
}

async function mailKinds(sources: Sources, importer: Source, file: string, name: string) {
  const source = await sources.parse(importedFrom(importer, file, name))
  const { node } = declarationOf(source, name)
  const [object] = findAll(node, 'ObjectExpression')
  return ((object?.['properties'] ?? []) as Node[]).map((property) => ({
    kind: identifierName(property),
    confirms: identifierName(
      findAll(property, 'Property').find((one) => identifierName(one) === 'confirms')?.['value'],
    ),
    comment: commentOf(source, property),
  }))
}

export async function behaviourSections(sources: Sources, behaviours: BehaviourFacts[]) {
  const engine = await sources.parse('api/src/engine/behaviour.ts')
  const events = await hookOrder(sources)
  return [
    '## Hooks',
    'A behaviour, `defineBehaviour(model, { … })`, is the code of a model. Its functions run in the transaction of the change, so an error in any of them rolls back everything. A site’s behaviours of a product model run after the product’s own.',
    table(
      ['Event', 'Order'],
      events.map(({ event, steps }) => [code(event), steps.join(' → ')]),
    ),
    [
      '- `before` returns values to set; each function sees those set by the functions before it. It rejects by throwing `conflict` or `invalidRecord`.',
      '- `validate` rejects by returning errors, `{ field, message }`: the response is 422 `invalid-record`, on undo 409 `not-undoable`.',
      '- `computed` calculates fields in the order of the model; a field can read those before it.',
      '- `after` sees the written record. It can change other records, queue mails, and reject like `before`.',
      '- An update that changes nothing runs no `after`. Restoring a version is an update. A cascade runs the hooks of each record. Undo restores values and computes nothing. Purging runs no hooks.',
      '- An action runs its function after the checks of `access`, `when` and its fields. Records that it writes run their own hooks.',
    ].join('\n'),
    'Every hook and action gets these:',
    contextTable(engine),
    '## Mails',
    'A kind of mail is declared in the behaviour’s `mails`. `await mail(kind, recipient, data)` in a hook queues it with the change. The text is built when it is sent, from the records as they are then.',
    contextTable(await sources.parse('api/src/engine/mail-kind.ts'), 'Mail'),
    'Kinds of the product:',
    table(
      ['Kind', 'Sent by', 'Confirms the form', 'Note'],
      (await allMails(sources, behaviours)).map(({ by, kind, confirms, comment }) => [
        code(kind),
        by,
        confirms,
        comment,
      ]),
    ),
  ]
}

function contextTable(source: Source, type = 'HookContext') {
  const rows = membersOf(source, type).map(({ name, comment }) => [
    code(name),
    comment || (CONTEXT_WORDS[name] ?? ''),
  ])
  return table(['Name', 'Meaning'], rows)
}

/** Words for members without a comment. */
const CONTEXT_WORDS: Record<string, string> = {
  caller: 'Account, access level and claims of the caller.',
  context: 'Current date and time, country and currency of the site.',
  site: 'Configuration of the site.',
  directory: 'Accounts at the identity provider; null without a service account.',
  text: 'Subject and body.',
}

/** Also those of modules without a model, which the product lists in `mails`. */
async function allMails(sources: Sources, behaviours: BehaviourFacts[]) {
  const product = await sources.parse(PRODUCT)
  const call = findAll(declarationOf(product, 'buildProduct').node, 'Property').find(
    (one) => identifierName(one) === 'mails',
  )
  const merged = call?.['value'] as Node | undefined
  const names = ((merged?.['arguments'] ?? []) as Node[])
    .filter(({ type }) => type === 'Identifier')
    .map(identifierName)
  const ofModules = await Promise.all(
    names.map(async (name) => {
      const by = importedFrom(product, PRODUCT, name).split('/').slice(0, 3).join('/')
      const kinds = await mailKinds(sources, product, PRODUCT, name)
      return kinds.map((kind) => ({ ...kind, by: code(by) }))
    }),
  )
  const ofModels = behaviours.flatMap(({ path, mails }) =>
    mails.map((mail) => ({ ...mail, by: `model ${code(path)}` })),
  )
  return [...ofModels, ...ofModules.flat()]
}
