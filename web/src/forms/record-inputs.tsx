import type { FieldType } from '@gatehouse/model'
import { useEffect, type ReactNode } from 'react'
import { texts } from '#content/texts.ts'
import { buildStore } from '#store.ts'
import { classOf, EmailInput, line, SelectInput, TextInput, type InputProps } from './inputs.tsx'
import { MultiselectInput } from './multiselect-input.tsx'
import type * as MarkdownParts from './markdown-input.tsx'
import type * as PickerParts from './relation-picker.tsx'
import { typeOf, type FormField } from './values.ts'

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

function MarkdownInput(props: InputProps) {
  const loaded = markdown.use()
  useLoaded(props.field)
  return loaded ? <loaded.MarkdownInput {...props} /> : <LongInput {...props} />
}

const SwitchInput = ({ register, aria, value }: InputProps) => (
  <input
    className="switch"
    type="checkbox"
    role="switch"
    aria-checked={value === true}
    {...register}
    {...aria}
  />
)

/** Where nothing says where it leads, the id itself. */
function RelationInput(props: RecordInputProps) {
  const loaded = picker.use()
  useLoaded(props.field)
  if (!props.field.to) return <TextInput {...props} />
  if (loaded) return <loaded.RelationPicker {...props} />
  const shown = props.label ?? String(props.value ?? '')
  return (
    <input
      className="form-control"
      id={props.aria.id}
      value={shown}
      placeholder={texts.choose}
      readOnly
    />
  )
}

const markdown = buildStore<typeof MarkdownParts | null>(null)
const picker = buildStore<typeof PickerParts | null>(null)

/** The large inputs are fetched where a form has one, and before it is shown: nobody types into what will be replaced. */
export async function loadInputs(fields: FormField[]) {
  const types = new Set(fields.map(typeOf))
  await Promise.all([
    types.has('markdown') &&
      !markdown.get() &&
      import('./markdown-input.tsx').then((parts) => markdown.set(parts)),
    types.has('relation') &&
      !picker.get() &&
      import('./relation-picker.tsx').then((parts) => picker.set(parts)),
  ])
}

function useLoaded(field: FormField) {
  useEffect(() => void loadInputs([field]).catch(() => {}), [field])
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
