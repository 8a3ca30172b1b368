import { schemaBreaks, type Schema } from './schema-diff.ts'

type Json = { [key: string]: unknown }
export type OpenApi = {
  /** In a site's document: false until its API has clients. */
  'x-released'?: boolean
  info: { version: string }
  paths: Json
  components?: Json
  security?: unknown
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']
const ACCESS = ['public', 'user', 'admin', 'owner']

/**
 * Breaking changes: every way a client of the old API may fail with the new one. Valid requests must remain valid, and
 * responses must fit the old schema; extra response fields do.
 */
export function breakingChanges(before: OpenApi, after: OpenApi): string[] {
  const old = operationsOf(before)
  const now = operationsOf(after)
  return [...old].flatMap(([name, was]) => {
    const is = now.get(name)
    if (!is) return [`${name}: is removed`]
    return compareOperation({ doc: before, ...was }, { doc: after, ...is }).map(
      (change) => `${name}: ${change}`,
    )
  })
}

type Operation = { doc: OpenApi; item: Json; operation: Json }

function operationsOf(doc: OpenApi) {
  const found = Object.entries(doc.paths).flatMap(([path, value]) => {
    const item = toObject(value)
    return METHODS.filter((method) => item[method]).map(
      (method) =>
        [`${method.toUpperCase()} ${path}`, { item, operation: toObject(item[method]) }] as const,
    )
  })
  return new Map(found)
}

function compareOperation(was: Operation, is: Operation): string[] {
  const changes: string[] = []
  if (was.operation['operationId'] !== is.operation['operationId'])
    changes.push('has another operationId, which clients may use')
  if (levelOf(is) > levelOf(was))
    changes.push(`requires ${String(is.operation['x-access'])} access`)
  if (is.operation['x-step-up'] && !was.operation['x-step-up'])
    changes.push(`requires a ${String(is.operation['x-step-up'])} sign-in`)
  if (isGuarded(is) && !isGuarded(was)) changes.push('requires a token')
  return [
    ...changes,
    ...compareParameters(was, is),
    ...compareBodies(was, is),
    ...compareResponses(was, is),
  ]
}

const levelOf = ({ operation }: Operation) => ACCESS.indexOf(String(operation['x-access']))

/** Alternatives; an empty entry allows anonymous access. */
const isGuarded = ({ doc, operation }: Operation) => {
  const ways = operation['security'] ?? doc.security
  return (
    Array.isArray(ways) &&
    ways.length > 0 &&
    ways.every((way) => Object.keys(toObject(way)).length > 0)
  )
}

function compareParameters(was: Operation, is: Operation): string[] {
  const old = parametersOf(was)
  const now = parametersOf(is)
  const gone = [...old.keys()].filter((name) => !now.has(name))
  const demanded = [...now].filter(
    ([name, { required }]) => required === true && old.get(name)?.['required'] !== true,
  )
  const unempty = [...old.keys()].filter(
    (name) => old.get(name)?.['allowEmptyValue'] === true && !now.get(name)?.['allowEmptyValue'],
  )
  return [
    ...gone.map((name) => `${name} is removed`),
    ...demanded.map(([name]) => `${name} is required`),
    ...unempty.map((name) => `${name} may no longer be empty`),
    ...[...old].flatMap(([name, parameter]) =>
      request(
        { doc: was.doc, schema: schemaOf(parameter) },
        { doc: is.doc, schema: schemaOf(now.get(name)) },
        name,
      ),
    ),
  ]
}

const schemaOf = (parameter: Json = {}) =>
  parameter['schema'] ?? Object.values(toObject(parameter['content'])).map(toObject)[0]?.['schema']

function parametersOf({ doc, item, operation }: Operation) {
  const all = [item['parameters'], operation['parameters']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  return new Map(
    all
      .map((parameter) => resolve(doc, parameter))
      .map((parameter) => [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter]),
  )
}

function compareBodies(was: Operation, is: Operation): string[] {
  const old = resolve(was.doc, was.operation['requestBody'])
  const now = resolve(is.doc, is.operation['requestBody'])
  const isDemanded = now['required'] === true && old['required'] !== true
  return [
    ...(isDemanded ? ['a body is required'] : []),
    ...compareContent(toObject(old['content']), toObject(now['content']), 'body', (a, b, where) =>
      request({ doc: was.doc, schema: a }, { doc: is.doc, schema: b }, where),
    ),
  ]
}

function compareResponses(was: Operation, is: Operation): string[] {
  const old = toObject(was.operation['responses'])
  const now = toObject(is.operation['responses'])
  const surprising = Object.keys(now).filter((status) => status < '400' && !(status in old))
  return [
    ...surprising.map((status) => `may succeed with ${status}, which is new`),
    ...Object.keys(old).flatMap((status) => {
      if (!(status in now)) return [`response ${status} is removed`]
      const [a, b] = [resolve(was.doc, old[status]), resolve(is.doc, now[status])]
      const headers = Object.keys(toObject(a['headers'])).filter(
        (name) => !(name in toObject(b['headers'])),
      )
      return [
        ...headers.map((name) => `header ${name} of response ${status} is removed`),
        ...compareContent(
          toObject(a['content']),
          toObject(b['content']),
          `response ${status}`,
          (x, y, where) => response({ doc: was.doc, schema: x }, { doc: is.doc, schema: y }, where),
        ),
      ]
    }),
  ]
}

function compareContent(
  old: Json,
  now: Json,
  where: string,
  compare: (a: unknown, b: unknown, where: string) => string[],
) {
  return Object.keys(old).flatMap((type) =>
    type in now
      ? compare(toObject(old[type])['schema'], toObject(now[type])['schema'], where)
      : [`${where} as ${type} is removed`],
  )
}

type Side = { doc: OpenApi; schema: unknown }

/** Requests: the old schema must fit the new one. */
const request = (was: Side, is: Side, where: string) =>
  schemaBreaks({ wider: toSchema(is), narrower: toSchema(was), isResponse: false }, where)

/** Responses: the new schema must fit the old one. */
const response = (was: Side, is: Side, where: string) =>
  schemaBreaks({ wider: toSchema(was), narrower: toSchema(is), isResponse: true }, where)

/** The schema with references inlined; ours have no cycles. */
const toSchema = ({ doc, schema }: Side): Schema => inline(doc, schema ?? {}) as Schema

function inline(doc: OpenApi, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => inline(doc, one))
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) return inline(doc, resolve(doc, value))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inline(doc, one)]))
}

function resolve(doc: OpenApi, value: unknown): Json {
  const found = toObject(value)
  const reference = found['$ref']
  if (typeof reference !== 'string') return found
  const path = reference.replace('#/', '').split('/')
  return path.reduce<Json>((at, key) => toObject(at[key]), doc as unknown as Json)
}

const toObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}
