import type {
  Access,
  ConditionOf,
  InputOf,
  PatchOf,
  RecordFor,
  SortOf,
  Visitor,
} from '@gatehouse/model'
import { demoAccounts } from '../../tools/stack/demo-accounts.ts'
import type { Typed } from '#engine/records.ts'
import type { Person } from './kit.ts'

/** The accounts of the demo. */
const LEVELS = {
  alice: 'owner',
  tess: 'admin',
  bob: 'user',
  carol: 'user',
  dave: 'user',
} as const satisfies Record<string, Access>
export type Name = keyof typeof LEVELS

/** Who calls where only a level is named. */
const BY_LEVEL = { public: null, user: 'bob', admin: 'tess', owner: 'alice' } as const

type Caller = Name | Access | NonNullable<Person>
type LevelOf<C extends Caller> = C extends Name
  ? (typeof LEVELS)[C]
  : C extends Access
    ? C
    : 'owner'

/** A response that isn't 2xx. */
export class RejectedError extends Error {
  readonly status: number
  readonly code: string
  readonly errors: { field: string; message: string }[]
  constructor(status: number, { code = '', detail = '', errors = [] }: Problem) {
    const messages = errors.map(({ field, message }) => `${field}: ${message}`)
    super([`${status} ${code}`, detail, ...messages].join('\n'))
    this.status = status
    this.code = code
    this.errors = errors
  }
}
type Problem = { code?: string; detail?: string; errors?: { field: string; message: string }[] }

type Call = (
  method: string,
  path: string,
  visitor: Person,
  content?: { body?: unknown },
) => Promise<{ status: number; headers: Headers; json: ReturnType<typeof JSON.parse> }>

/** Calls the API as this account does, or as one of this level: over HTTP, with its permissions. */
export const callAs =
  (call: Call) =>
  <C extends Caller>(caller: C) => {
    type Level = LevelOf<C>
    const person = personOf(caller)
    /** Any other call: `restore`, `operations/…/undo`. */
    const request = async (method: string, path: string, body?: unknown) => {
      const { status, headers, json } = await call(method, `/api/${path}`, person, { body })
      if (status >= 300) throw new RejectedError(status, json ?? {})
      return { headers, json }
    }
    const send = async (method: string, path: string, body?: unknown) =>
      (await request(method, path, body)).json
    return {
      request,
      records: <M extends Typed>({ path, routeName }: M): RecordsAs<M, Level> => ({
        list: async ({ filter, ...params } = {}) => {
          const query = new URLSearchParams(params as Record<string, string>)
          if (filter) query.set('filter', JSON.stringify(filter))
          const { items } = await send('GET', `${routeName}?${query.toString()}`)
          return items
        },
        get: (id) => send('GET', `${path}/${id}`),
        create: (values) => send('POST', routeName, values),
        update: (id, values) => send('PUT', `${routeName}/${id}`, values),
        delete: async (id) => void (await send('DELETE', `${routeName}/${id}`)),
      }),
      act: <M extends Typed, A extends keyof M['actions'] & string>(
        { path }: M,
        id: string,
        action: A,
        ...[input]: object extends InputOf<M, A> ? [InputOf<M, A>?] : [InputOf<M, A>]
      ): Promise<RecordFor<M, Level>> => send('POST', `${path}/${id}/${action}`, input ?? {}),
    }
  }

type RecordsAs<M extends Typed, Level extends Access> = {
  list: (params?: ListParams<M>) => Promise<RecordFor<M, Level>[]>
  get: (id: string) => Promise<RecordFor<M, Level>>
  create: (values: PatchOf<M>) => Promise<RecordFor<M, Level>>
  update: (id: string, values: PatchOf<M>) => Promise<RecordFor<M, Level>>
  delete: (id: string) => Promise<void>
}

type ListParams<M extends Typed> = {
  filter?: { all: ConditionOf<M>[] } | { any: ConditionOf<M>[] }
  sort?: SortOf<M>
  q?: string
}

export function personOf(caller: Caller): Person {
  if (typeof caller !== 'string') return caller
  const name = caller in LEVELS ? caller : BY_LEVEL[caller as Access]
  if (name === null) return null
  const { sub, kind, email, fullName } =
    demoAccounts().find(({ username }) => username === name) ?? raise(`no account ${name}`)
  const visitor: Visitor = {
    sub,
    name: fullName,
    role: kind === 'user' ? 'user' : 'admin',
    owner: kind === 'owner',
  }
  return { ...visitor, email, emailVerified: true }
}

const raise = (message: string): never => {
  throw new Error(message)
}
