import type { Context, FreshOf, InputOf, PatchOf, RecordOf, SecurityEvent } from '@gatehouse/model'
import type { SQL } from 'drizzle-orm'
import type { FieldError } from '#platform/errors.ts'
import type { EndedSessions } from '#platform/identity/revoke.ts'
import type { Site } from '#platform/site-config.ts'
import type { AnyBehaviour, ChangeEvent } from './compile-behaviours.ts'
import type { Caller } from './caller.ts'
import type { Engine, ClaimsOf } from './engine.ts'
import type { DataOf, Mails } from './mail-kind.ts'
import type { Columns, ComputedName, Records, StoredOf, TableOf, Typed } from './records.ts'

/** Passed to every hook. Everything runs in the transaction and operation of the change. */
export type HookContext<Ms extends Mails> = {
  caller: Caller
  context: Context
  /** Records of any model, on behalf of the server: no permission checks; writes revisions and fires behaviours. */
  records: <O extends Typed>(model: O) => Records<O>
  /** Claims of any account, by its `sub`, as its own requests would find them now. */
  claimsOf: (sub: string) => Promise<ClaimsOf>
  /** Queues a mail; it is sent once the change is committed. No-op if the address is null. */
  mail: <K extends keyof Ms & string>(
    kind: K,
    recipient: string | null,
    data: DataOf<Ms[K]>,
  ) => Promise<void>
  site: Site
  /** Mail addresses of the staff. */
  desk: Engine['desk']
  directory: Engine['directory']
  /** Written with the change. */
  securityEvent: (event: SecurityEvent) => Promise<void>
  /** Revokes the tokens of this account; an account that may still sign in gets one with its current role. */
  revoke: (sub: string) => Promise<void>
  /** Ends the sessions of this account; they must be ended at the identity provider too. */
  revokeSessions: (ended: EndedSessions) => Promise<void>
}

/** Context of an action: `record` is locked, and visible to the caller. */
export type ActionContext<M extends Typed, Ms extends Mails> = HookContext<Ms> & {
  record: StoredOf<M>
}

/** `record` is the new state, `previous` the old one. To change the record, return values from `before`. */
type ChangeContext<Record, Previous, Ms extends Mails> = HookContext<Ms> & {
  event: ChangeEvent
  record: Record
  previous: Previous
}

type Awaitable<T> = T | Promise<T>
type Nothing = Awaitable<void>

/** Implements everything the model's definition declares; otherwise it doesn't compile. */
export type Behaviour<M extends Typed, Ms extends Mails> = {
  /** Errors that depend on several fields. Runs whenever a record is written or restored. */
  validate?: (
    change: ChangeContext<Draft<M>, StoredOf<M> | null, Ms>,
  ) => Awaitable<readonly FieldErrorOf<M>[]>
  before?: {
    create?: (change: ChangeContext<FreshOf<M>, null, Ms>) => Awaitable<PatchOf<M> | void>
    update?: (change: ChangeContext<StoredOf<M>, StoredOf<M>, Ms>) => Awaitable<PatchOf<M> | void>
  } & { [E in 'delete' | 'restore' | 'undo']?: Hook<M, Ms> }
  after?: {
    create?: (change: ChangeContext<StoredOf<M>, null, Ms>) => Nothing
  } & { [E in Exclude<ChangeEvent, 'create'>]?: Hook<M, Ms> }
  mails?: Ms
} & Promised<
  'computed',
  {
    [K in ComputedName<M, 'column'>]: (
      change: Omit<ChangeContext<Draft<M>, StoredOf<M> | null, Ms>, 'mail'>,
    ) => Awaitable<RecordOf<M>[K]>
  }
> &
  Promised<'expressions', { [K in ComputedName<M, 'sql'>]: ExpressionOf<M> }> &
  Promised<
    'actions',
    {
      [A in keyof M['actions']]: (
        change: ActionContext<M, Ms> & { input: InputOf<M, A> },
      ) => Awaitable<unknown>
    }
  >

type Hook<M extends Typed, Ms extends Mails> = (
  change: ChangeContext<StoredOf<M>, StoredOf<M>, Ms>,
) => Nothing

/** New or stored: no id before the INSERT, and nulls after an erasure. */
type Draft<M extends Typed> = Pick<RecordOf<M>, keyof FreshOf<M>> & { id?: string }

type FieldErrorOf<M extends Typed> = FieldError & { field: keyof M['fields'] & string }

/** Used in SELECT, RETURNING and filters. In a subquery, an aggregate without GROUP BY always returns exactly one row. */
type ExpressionOf<M extends Typed> = (
  columns: Columns<M>,
  context: { today: SQL; table: <O extends Typed>(model: O) => TableOf<O> },
) => SQL

/** Required if and only if the model declares something for this part. */
type Promised<Part extends string, Functions> = [keyof Functions] extends [never]
  ? { [P in Part]?: never }
  : { [P in Part]: Functions }

/** The product's behaviour for a model: implements everything the definition declares. */
export const defineBehaviour = <M extends Typed, Ms extends Mails = Record<never, never>>(
  model: M,
  behaviour: Behaviour<M, Ms>,
): AnyBehaviour => ({ path: model.path, ...(behaviour as object) })

/** Partial: the model's own behaviour implements the rest. */
type Extension<B> = {
  [P in keyof B]: P extends 'computed' | 'expressions' | 'actions' ? Partial<B[P]> : B[P]
}

/** A site's addition to a behaviour; its hooks run after the product's. */
export const extendBehaviour = <M extends Typed, Ms extends Mails = Record<never, never>>(
  model: M,
  // `mails` once more, because TypeScript infers nothing through a mapped type.
  behaviour: Partial<Extension<Behaviour<M, Ms>>> & { mails?: Ms },
): AnyBehaviour => ({ path: model.path, ...(behaviour as object) })
