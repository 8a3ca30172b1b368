import {
  actionsOf,
  conditionsOf,
  hasTrash,
  isCondition,
  partsOf,
  type Condition,
  type Filter,
  type Model,
} from '@gatehouse/model'
import type { BehaviourFacts } from './behaviour-sections.ts'
import { fieldsTable, retentionWords } from './field-rows.ts'
import { bullets, code, codes, joinWords } from './markdown.ts'
import { declarationOf } from './parse-source.ts'
import type { Sources } from './sources.ts'

export async function modelSection(sources: Sources, model: Model, behaviour?: BehaviourFacts) {
  const source = await sources.parse(`model/src/models/${model.path}.ts`)
  return [
    `### ${model.title}`,
    declarationOf(source, model.path).comment,
    bullets([...modelFacts(model), ...behaviourFacts(behaviour)]),
    fieldsTable(model),
  ].filter(Boolean)
}

function modelFacts(model: Model) {
  const { path, access, without, rowScope, publicFilter, deleteOnly, privacy } = model
  const notInMenu = model.menu ? '' : '; not in the menu'
  return [
    `**Path**: ${code(`/api/${path}`)}; pages at ${code(`/${path}`)}${notInMenu}`,
    `**Access**: ${[
      ...actionsOf(model).map((action) => `${action} ${code(access[action])}`),
      ...(hasTrash(model) ? [`purge ${code(model.purge)}`] : []),
    ].join(', ')}`,
    ...(without.length === 0 ? [] : [`**Disabled for all callers**: ${joinWords(without)}`]),
    ...(rowScope === null ? [] : [`**Rows of non-admins**: ${scopeOf(rowScope)}`]),
    ...(publicFilter === null
      ? []
      : [`**Shown to non-admins only if** ${filterWords(publicFilter)}`]),
    ...model.rules.map(
      ([left, operator, right]) =>
        `**Rule**: ${code(left)} is ${COMPARISONS[operator]} ${code(right)}, if both have a value`,
    ),
    ...(deleteOnly === null ? [] : [`**Deleted only if** ${filterWords(deleteOnly.when)}`]),
    ...(model.createPerMinute === null
      ? []
      : [`**Creations** per person and minute: ${model.createPerMinute}`]),
    ...model.worklists.map(
      ({ name, by, where }) =>
        `**Worklist** ${code(name)}: ${filterWords(where)}; ordered by ${code(by)}`,
    ),
    ...Object.entries(model.actions).map(([name, action]) => {
      const fields = Object.keys(action.fields ?? {})
      return [
        `**Action** ${code(name)} (“${action.label}”): ${code(action.access)}`,
        ...(action.isFresh ? ['needs a fresh sign-in'] : []),
        ...(fields.length > 0 ? [`takes ${codes(fields)}`] : []),
        ...(action.when ? [`if ${filterWords(action.when)}`] : []),
      ].join('; ')
    }),
    ...columnFacts(model),
    `**Privacy**: ${privacyOfModel(privacy)}`,
  ]
}

function columnFacts({ list: { columns, reader } = {} }: Model) {
  if (!columns) return []
  const others = reader ? `; without the right to update: ${codes(reader)}` : ''
  return [`**Columns**: ${codes(columns)}${others}`]
}

const behaviourFacts = (behaviour?: BehaviourFacts) => [
  ...(behaviour?.hooks.length ? [`**Hooks**: ${codes(behaviour.hooks)}`] : []),
  ...(behaviour?.mails.length
    ? [`**Mails**: ${codes(behaviour.mails.map(({ kind }) => kind))}`]
    : []),
]

function scopeOf(rowScope: NonNullable<Model['rowScope']>) {
  if ('via' in rowScope) return `those whose ${code(rowScope['via'])} they see`
  const ways = Object.entries(rowScope).map(
    ([claim, field]) => `${code(field)} is their claim ${code(claim)}`,
  )
  return `those where ${ways.join(', or ')}`
}

function privacyOfModel({ subject, retention, onErase, recipients = [], role }: Model['privacy']) {
  const [[kind, field] = ['', '']] = subject === 'none' ? [] : Object.entries(subject)
  return [
    subject === 'none'
      ? 'no data subject'
      : `the data subject is found by ${SUBJECTS[kind]} ${code(field)}`,
    `kept ${retentionWords(retention)}`,
    `erasure: ${code(onErase)}`,
    ...(recipients.length > 0 ? [`recipients: ${codes(recipients)}`] : []),
    ...(role ? [`role: ${role}`] : []),
  ].join('; ')
}

const SUBJECTS: Record<string, string> = {
  email: 'the address in',
  sub: 'the account in',
  via: 'the related record in',
}

function filterWords(filter: Filter): string {
  const parts = partsOf(filter).map((part) => {
    if (isCondition(part)) return conditionWords(part)
    return conditionsOf(part).length > 1 ? `(${filterWords(part)})` : filterWords(part)
  })
  return parts.join('all' in filter ? ' and ' : ' or ')
}

const COMPARISONS = { lt: 'less than', lte: 'at most', gt: 'greater than', gte: 'at least' }

function conditionWords([field, operator, value]: Condition) {
  const name = code(field)
  const values = [value].flat()
  if (operator === 'empty') return `${name} ${value === true ? 'is empty' : 'has a value'}`
  if (operator === 'in') return `${name} is ${joinWords(values.map(code), 'or')}`
  if (operator === 'eq') return `${name} is ${code(value)}`
  if (operator === 'ne') return `${name} isn’t ${code(value)}`
  if (operator === 'has' || operator === 'contains') return `${name} contains ${code(value)}`
  if (operator === 'startsWith') return `${name} starts with ${code(value)}`
  return `${name} is ${COMPARISONS[operator]} ${code(value)}`
}
