import type { FieldType } from '@gatehouse/model'
import { lazy, Suspense, type ReactNode } from 'react'
import { texts } from '#content/texts.ts'
import { classOf, EmailInput, line, SelectInput, TextInput, type InputProps } from './inputs.tsx'
import { MultiselectInput } from './multiselect-input.tsx'
import { typeOf } from './values.ts'

export type RecordInputProps = InputProps & {
  /** Of a relation: what the record it leads to is called. */
  label: string | undefined
  onLabel: (label: string) => void
}

/** The input of a record's field, by its type. A new type does not compile until it has one here. */
export function RecordInput(props: RecordInputProps) {
  const Input = INPUTS[typeOf(props.field)]
  return <Input {...props} />
}

/** A line and not a number's own input: that one hides what it can not read and turns with the wheel. */
const NumberInput = ({ field, register, aria }: InputProps) => (
  <input
    className={`${classOf('form-control', aria)} num`}
    type="text"
    inputMode={field.type === 'integer' && (field.min ?? -1) >= 0 ? 'numeric' : 'decimal'}
    autoComplete="off"
    {...register}
    {...aria}
  />
)

/** No maximum length of its own: what is pasted would be cut without a word. */
const LongInput = ({ register, aria }: InputProps) => (
  <textarea className={classOf('form-control', aria)} rows={4} {...register} {...aria} />
)

const MarkdownEditor = lazy(async () => ({
  default: (await import('./markdown-input.tsx')).MarkdownInput,
}))
const MarkdownInput = (props: InputProps) => (
  <Suspense fallback={<LongInput {...props} />}>
    <MarkdownEditor {...props} />
  </Suspense>
)

const SwitchInput = ({ register, aria }: InputProps) => (
  <input className="switch" type="checkbox" role="switch" {...register} {...aria} />
)

const RelationPicker = lazy(async () => ({
  default: (await import('./relation-picker.tsx')).RelationPicker,
}))

/** Where nothing says where it leads, the id itself. */
function RelationInput(props: RecordInputProps) {
  if (!props.field.to) return <TextInput {...props} />
  const shown = props.label ?? String(props.value ?? '')
  return (
    <Suspense
      fallback={
        <input
          className="form-control"
          id={props.aria.id}
          value={shown}
          placeholder={texts.choose}
          readOnly
        />
      }
    >
      <RelationPicker {...props} />
    </Suspense>
  )
}

const INPUTS = {
  text: TextInput,
  textarea: LongInput,
  markdown: MarkdownInput,
  email: EmailInput,
  tel: line('tel', { inputMode: 'tel' }),
  url: line('url', { inputMode: 'url' }),
  integer: NumberInput,
  decimal: NumberInput,
  boolean: SwitchInput,
  date: line('date'),
  datetime: line('datetime-local'),
  select: SelectInput,
  multiselect: MultiselectInput,
  relation: RelationInput,
} satisfies Record<FieldType, (props: RecordInputProps) => ReactNode>
