import {
  ACCESS_LEVELS,
  ACTIONS,
  BASES,
  CATEGORIES,
  defineModel,
  ERASE_OPS,
  POLICIES,
  PURPOSES,
  SOURCES,
  type TypeFacts,
} from '@gatehouse/model'
import { code, codes, joinWords, table } from './markdown.ts'
import {
  commentOf,
  declarationOf,
  findAll,
  membersOf,
  identifierName,
  type Member,
} from './parse-source.ts'
import type { Sources } from './sources.ts'

const DEFINITION = 'model/src/definition'

export function fieldTypesSection({ fieldTypes }: Sources) {
  const rows = Object.entries(fieldTypes).map(([name, facts]) => [
    code(name),
    facts.json,
    facts.column,
    codes(facts.operators),
    facts.text === null ? '' : count(facts.text.maxLength),
    limitsOf(facts).join('; '),
    facts.canSort ? 'yes' : '',
  ])
  return [
    '## Field types',
    'A field has one of these types. It decides the JSON value, the database column, the input in forms, and how lists filter it.',
    table(['Type', 'JSON', 'Column', 'Filters', 'Longest text', 'Format', 'Can be sorted'], rows),
  ]
}

const count = (value: number) => value.toLocaleString('en')

const limitsOf = ({ format, text, number }: TypeFacts) => [
  ...(format ? [`format ${code(format)}`] : []),
  ...(text?.pattern ? ['must match a pattern'] : []),
  ...(number ? [`at most ±${count(number.limit)}`] : []),
  ...(number?.step ? [`in steps of ${number.step}`] : []),
  ...(text?.isLong ? ['omitted from lists'] : []),
]

export async function definitionSections(sources: Sources) {
  const model = await sources.parse(`${DEFINITION}/model.ts`)
  const fields = await sources.parse(`${DEFINITION}/fields.ts`)
  const types = await sources.parse(`${DEFINITION}/field-types.ts`)
  const action = await sources.parse(`${DEFINITION}/action.ts`)
  const access = await sources.parse(`${DEFINITION}/access.ts`)
  const filter = await sources.parse(`${DEFINITION}/filter.ts`)
  return [
    '## Options of a model',
    'Passed to `defineModel`. The types are in `model/src/definition`.',
    optionsTable(membersOf(model, 'Model'), modelDefaults()),
    '## Options of a field',
    'One entry of `fields`. The key is the name of the field in JSON; `type`, `label` and `privacy` must be given.',
    optionsTable(membersOf(fields, 'Field')),
    '## Access',
    declarationOf(access, 'Access').comment,
    `In this order: ${codes(ACCESS_LEVELS)}. A model declares one level for each of ${joinWords([...ACTIONS].map(code))}. \`visibleTo\` and \`writableBy\` of a field restrict it further; a field that isn’t visible isn’t writable either.`,
    '## Row scope',
    declarationOf(model, 'RowScope').comment,
    'Admins see every row. These claims can be named in a row scope or as the `stamp` of a field:',
    await claimsTable(sources),
    '## Filters, rules and worklists',
    declarationOf(filter, 'Condition').comment,
    `${declarationOf(filter, 'Filter').comment} ${declarationOf(types, 'Operator').comment}`,
    `**Rules.** ${declarationOf(model, 'Rule').comment}`,
    `**Worklists.** ${declarationOf(model, 'Worklist').comment}`,
    '## Actions',
    declarationOf(action, 'ModelAction').comment,
    optionsTable(membersOf(action, 'ModelAction')),
    ...(await presentationSections(sources)),
    ...(await privacySections(sources)),
  ]
}

/** Defaults in words, from what `defineModel` adds to an empty definition. */
function modelDefaults(): Record<string, string> {
  const added = defineModel({ path: '' } as never) as unknown as Record<string, unknown>
  const { path: _path, fields: _fields, ...defaults } = added
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, inWords(value)]))
}

function inWords(value: unknown) {
  if (value === '') return 'the path'
  if (value === null || JSON.stringify(value) === '[]' || JSON.stringify(value) === '{}')
    return 'none'
  return code(value)
}

function optionsTable(members: Member[], defaults: Record<string, string> = {}) {
  const rows = members.map(({ name, isOptional, type, comment }) => {
    if (comment === '') throw new Error(`${DEFINITION}: the option "${name}" needs a TSDoc comment`)
    const isNeeded = !isOptional && defaults[name] === undefined
    return [code(name), code(type), isNeeded ? '**required**' : (defaults[name] ?? ''), comment]
  })
  return table(['Option', 'Type', 'Default', 'Meaning'], rows)
}

async function claimsTable({ claims, parse }: Sources) {
  const source = await parse('model/src/models/claims.ts')
  const properties = findAll(declarationOf(source, 'claims').node, 'Property')
  const rows = Object.entries(claims).map(([name, { holds, keptIn }]) => {
    const property = properties.find((one) => identifierName(one) === name)
    const about = property ? commentOf(source, property) : ''
    const value = holds === 'sub' ? 'ID of the account' : `ID of a record of ${code(holds.idOf)}`
    return [code(name), value, keptIn ? 'row scope, stamp' : 'stamp', about]
  })
  return table(['Claim', 'Value', 'Use', 'Holders'], rows)
}

async function presentationSections({ parse }: Sources) {
  const source = await parse(`${DEFINITION}/presentation.ts`)
  const about = (name: string) => declarationOf(source, name).comment
  return [
    '## Presentation',
    about('Presentation'),
    optionsTable(membersOf(source, 'Presentation')),
    '### List',
    about('ListPresentation'),
    optionsTable(membersOf(source, 'ListPresentation')),
    '### Glance, sections and related lists',
    `**Glance.** ${about('GlanceFact')} A count has these options:`,
    optionsTable(membersOf(source, 'RelatedCount')),
    `**Sections.** ${about('Section')}`,
    `**Related lists.** ${about('RelatedList')}`,
    `**Timeline.** ${about('Timeline')}`,
  ]
}

async function privacySections({ parse }: Sources) {
  const source = await parse(`${DEFINITION}/privacy.ts`)
  const comment = (name: string) => declarationOf(source, name).comment
  return [
    '## Privacy',
    'Each model and field says whether it holds personal data. The privacy notice, exports and erasure are derived from it. A field has `privacy: np` (not personal) or `privacy: personal(category, purposes, options)`.',
    '### Of a model',
    'The option `privacy` of the model applies to all its records.',
    optionsTable(membersOf(source, 'ModelPrivacy')),
    '### Of a personal field',
    'The options of `personal(…)`. Most are needed only if a field differs from its model.',
    optionsTable(membersOf(source, 'PersonalData')),
    '### Categories',
    'The notice lists personal data by category.',
    table(
      ['Category', 'Meaning'],
      Object.entries(CATEGORIES).map(([name, text]) => [code(name), text]),
    ),
    '### Purposes',
    'The legal basis belongs to the purpose, so that fields can’t contradict each other.',
    table(
      ['Purpose', 'Meaning', 'Legal basis'],
      Object.entries(PURPOSES).map(([name, { label, basis }]) => [code(name), label, BASES[basis]]),
    ),
    '### Retention periods',
    comment('POLICIES'),
    table(
      ['Period', 'Length'],
      Object.entries(POLICIES).map(([name, policy]) => [
        code(name),
        'compose' in policy
          ? `${policy.promise}: ${joinWords(policy.compose.map(code))}`
          : policy.promise,
      ]),
    ),
    '### Erasure and origin',
    `${comment('ERASE_OPS')} Values of \`erase\` and \`onErase\`: ${codes(ERASE_OPS)}.`,
    `${comment('SOURCES')} Values of \`source\`: ${codes(SOURCES)}.`,
  ]
}
