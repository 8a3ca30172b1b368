import { fieldsOf, type Model } from '@gatehouse/model'
import type { SQL } from 'drizzle-orm'
import type { Row } from '#platform/db.ts'
import type { FieldError } from '#platform/errors.ts'
import type { Table } from './build-tables.ts'
import type { Mails } from './mail-kind.ts'

/** Events of a record. Undo is separate: it restores values and recomputes nothing. */
const EVENTS = ['create', 'update', 'delete', 'restore', 'undo'] as const
export type ChangeEvent = (typeof EVENTS)[number]

/** `ChangeContext` of behaviour.ts without its model's types. */
type AnyChange = { record: Row; previous: Row | null; [part: string]: unknown }
type Awaitable<T> = T | Promise<T>
type Hook<Answer> = (change: AnyChange) => Awaitable<Answer>

type Expression = (
  columns: Table,
  context: { today: SQL; table: (model: Pick<Model, 'path'>) => Table },
) => SQL

export type AnyBehaviour = {
  path: string
  validate?: Hook<FieldError[]>
  before?: { [E in ChangeEvent]?: Hook<Row | undefined> }
  after?: { [E in ChangeEvent]?: Hook<undefined> }
  computed?: Record<string, Hook<unknown>>
  expressions?: Record<string, Expression>
  actions?: Record<string, Hook<unknown>>
  mails?: Mails
}

/** All behaviours of one model merged, hooks in running order. */
export type CompiledBehaviour = {
  validate: Hook<FieldError[]>[]
  before: Record<ChangeEvent, Hook<Row | undefined>[]>
  after: Record<ChangeEvent, Hook<undefined>[]>
  /** In field order: a field may read those before it. */
  computed: [string, Hook<unknown>][]
  expressions: Record<string, Expression>
  actions: Record<string, Hook<unknown>>
  mails: Mails
}

/** Compiled once at start-up, so that a request only looks up its model. */
export const compileBehaviours = (models: Model[], behaviours: AnyBehaviour[]) =>
  new Map(
    models.map((model) => [
      model.path,
      compile(
        model,
        behaviours.filter(({ path }) => path === model.path),
      ),
    ]),
  )

function compile(model: Model, own: AnyBehaviour[]): CompiledBehaviour {
  const computed = merged(own.map((one) => one.computed))
  return {
    validate: own.flatMap(({ validate }) => validate ?? []),
    before: byEvent(own.map((one) => one.before)),
    after: byEvent(own.map((one) => one.after)),
    computed: fieldsOf(model).flatMap(([name]) => {
      const compute = computed[name]
      return compute ? [[name, compute] as [string, Hook<unknown>]] : []
    }),
    expressions: merged(own.map((one) => one.expressions)),
    actions: merged(own.map((one) => one.actions)),
    mails: merged(own.map((one) => one.mails)),
  }
}

const byEvent = <Answer>(all: ({ [E in ChangeEvent]?: Hook<Answer> } | undefined)[]) =>
  Object.fromEntries(
    EVENTS.map((event) => [event, all.flatMap((one) => one?.[event] ?? [])]),
  ) as Record<ChangeEvent, Hook<Answer>[]>

const merged = <T>(all: (Record<string, T> | undefined)[]): Record<string, T> =>
  Object.assign({}, ...all)

/** Whether the response to a creation reports if a confirmation was queued. */
export const confirmsCreation = ({ mails }: Pick<CompiledBehaviour, 'mails'>) =>
  Object.values(mails).some(({ confirms }) => confirms !== undefined)

/** Start-up check: behaviours implement everything that models declare, and nothing else. */
export function checkBehaviours(models: Model[], behaviours: AnyBehaviour[]): string[] {
  const paths = models.map(({ path }) => path)
  return [
    ...behaviours
      .filter(({ path }) => !paths.includes(path))
      .map(({ path }) => `${path}: behaviour without a model`),
    ...models.flatMap((model) => checkModel(model, behaviours)),
    ...models
      .filter(
        ({ path, privacy }) =>
          sendsMails(path, behaviours) && !privacy.recipients?.includes('mail'),
      )
      .map(
        ({ path }) =>
          `${path}: privacy.recipients must include 'mail', because its behaviour sends email`,
      ),
    ...repeated(behaviours.map(({ mails = {} }) => mails)).map(
      (kind) => `mails: "${kind}" is defined twice`,
    ),
  ]
}

const sendsMails = (model: string, behaviours: AnyBehaviour[]) =>
  behaviours.some(({ path, mails = {} }) => path === model && Object.keys(mails).length > 0)

const PARTS = ['computed', 'expressions', 'actions'] as const

function checkModel(model: Model, behaviours: AnyBehaviour[]) {
  const own = behaviours.filter(({ path }) => path === model.path)
  const computedBy = (kind: string) =>
    fieldsOf(model).flatMap(([name, { computed }]) => (computed === kind ? [name] : []))
  const promised = {
    computed: computedBy('column'),
    expressions: computedBy('sql'),
    actions: Object.keys(model.actions),
  }
  return PARTS.flatMap((part) => {
    const written = own.map((one): object => one[part] ?? {})
    const names = written.flatMap((part) => Object.keys(part))
    return [
      ...promised[part]
        .filter((name) => !names.includes(name))
        .map((name) => [name, 'no function in a behaviour']),
      ...names
        .filter((name) => !promised[part].includes(name))
        .map((name) => [name, 'no definition']),
      ...repeated(written).map((name) => [name, 'two functions']),
    ].map(([name, lack]) => `${model.path}: ${PART_NAMES[part]} "${name}" has ${lack}`)
  })
}

const PART_NAMES = { computed: 'computed field', expressions: 'computed field', actions: 'action' }

function repeated(parts: object[]) {
  const names = parts.flatMap((part) => Object.keys(part))
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}
