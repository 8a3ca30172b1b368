import type { Access } from './access.ts'
import type { ModelAction } from './action.ts'
import type { FIELD_TYPES, Operator, TypeFacts } from './field-types.ts'
import type { Field } from './fields.ts'
import type { FileLabel } from './file-states.ts'
import type { ModelPrivacy } from './privacy.ts'

/** The parts of a defined model that the types below read. */
type Shape = {
  fields: Readonly<Record<string, Field>>
  actions: Readonly<Record<string, ModelAction>>
  privacy: Pick<ModelPrivacy, 'onErase'>
}

/** One record as stored, including hidden fields: `RecordOf<typeof tickets>`. */
export type RecordOf<M extends Shape> = SystemFields & {
  [K in keyof M['fields']]:
    | ValueOf<M['fields'][K]>
    | (IsNotNull<M['fields'][K], M['privacy']['onErase']> extends true ? never : null)
}

/** Columns of every record besides its fields. */
export type SystemFields = {
  id: string
  version: number
  createdAt: string
  updatedAt: string
  sample: boolean
}

/** A record before its INSERT: without ID, with all required fields. */
export type FreshOf<M extends Shape> = {
  [K in WritableName<M>]:
    ValueOf<M['fields'][K]> | (M['fields'][K] extends MustBeSent ? never : null)
}

type MustBeSent = { required: true; requiredUnless?: never }

/** Values the server sets on a record: any of its columns. */
export type PatchOf<M extends Shape> = { [K in WritableName<M>]?: RecordOf<M>[K] }

/** Input of an action's form: `InputOf<typeof tickets, 'reply'>`. */
export type InputOf<M extends Shape, Name extends keyof M['actions']> = M['actions'][Name] extends {
  fields: infer F extends Shape['fields']
}
  ? { [K in RequiredName<F>]: ValueOf<F[K]> } & {
      [K in Exclude<keyof F, RequiredName<F>>]?: ValueOf<F[K]> | null
    }
  : Record<never, never>

/** One record as this access level reads it. */
export type RecordFor<M extends Shape, Level extends Access> = SystemFields & {
  [K in VisibleName<M, Level>]:
    | RecordOf<M>[K]
    // A relation to a record that the reader may not see is null.
    | (FactOf<M['fields'][K], 'column'> extends 'uuid' ? null : never)
} & {
  labels: {
    [K in VisibleName<M, Level> as IfLabelled<M['fields'][K], K>]?: LabelOf<M['fields'][K]>
  }
  /** Only present on a record in the trash. */
  deletedAt?: string
}

/** Sort parameter of a list: `dueAt`, or `-dueAt` for descending. */
export type SortOf<M extends Shape> = `${'' | '-'}${NameWith<M, { sortable: true }>}`

/** One condition of a filter: a field, an operator its type supports, and a value of that field. */
export type ConditionOf<M extends Shape> = {
  [K in FieldName<M>]: {
    [O in OperatorOf<M['fields'][K]>]: readonly [
      field: K,
      operator: O,
      value: OperandOf<M['fields'][K], O>,
    ]
  }[OperatorOf<M['fields'][K]>]
}[FieldName<M>]

type FieldName<M extends Shape> = keyof M['fields'] & string

type NameWith<M extends Shape, Trait> = {
  [K in FieldName<M>]: M['fields'][K] extends Trait ? K : never
}[FieldName<M>]

/** Excludes sequences, which the database numbers, and fields computed in SQL, which have no column. */
type WritableName<M extends Shape> = Exclude<
  FieldName<M>,
  NameWith<M, { sequence: true } | { computed: 'sql' }>
>

type RequiredName<F extends Shape['fields']> = {
  [K in keyof F]: F[K] extends { required: true } ? K : never
}[keyof F]

/** Levels whose fields are hidden from this level. */
type Hidden = {
  public: 'user' | 'admin' | 'owner'
  user: 'admin' | 'owner'
  admin: 'owner'
  owner: never
}

type VisibleName<M extends Shape, Level extends Access> = Exclude<
  FieldName<M>,
  NameWith<M, { visibleTo: Hidden[Level] } | { hidden: true }>
>

/** One fact of the field's type. */
type FactOf<F extends Field, Fact extends keyof TypeFacts> = (typeof FIELD_TYPES)[F['type']][Fact]

/** Labels of a relation are its display value, those of a file field its files. */
type LabelOf<F extends Field> = FactOf<F, 'column'> extends 'uuid' ? string : FileLabel[]

type IfLabelled<F extends Field, K> = FactOf<F, 'column'> extends 'uuid' | 'uuidArray' ? K : never

/** TypeScript type of a value, by the JSON type of its field. */
type JsonValue = {
  string: string
  integer: number
  number: number
  boolean: boolean
  array: string[]
}

type ValueOf<F extends Field> =
  FactOf<F, 'options'> extends 'one'
    ? OptionOf<F>
    : FactOf<F, 'options'> extends 'many'
      ? OptionOf<F>[]
      : JsonValue[FactOf<F, 'json'>]

type OptionOf<F extends Field> = F extends { free: true }
  ? string
  : F extends { options: readonly { value: infer V extends string }[] }
    ? V
    : string

type OperatorOf<F extends Field> = FactOf<F, 'operators'>[number]

type OperandOf<F extends Field, O extends Operator> = O extends 'empty'
  ? boolean
  : O extends 'in'
    ? readonly ValueOf<F>[]
    : O extends 'has'
      ? OptionOf<F>
      : ValueOf<F>

/** `isNotNull` as a type. */
type IsNotNull<F extends Field, OnErase> = F extends { sequence: true }
  ? true
  : F extends { required: true }
    ? EraseOf<F['privacy'], OnErase> extends 'null' | 'unlink' | 'file'
      ? false
      : true
    : false

type EraseOf<P, OnErase> = P extends { personal: true }
  ? P extends { erase: infer E }
    ? E
    : OnErase
  : 'keep'
