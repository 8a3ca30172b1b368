import type { ReactNode } from 'react'
import { fieldMessages } from '#messages/fields.ts'
import { formMessages } from '#messages/form.ts'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'
import { HTML_INPUTS } from './html-inputs.tsx'
import {
  classOf,
  EmailInput,
  singleLine,
  TelInput,
  SelectInput,
  TextInput,
  type InputProps,
} from './inputs.tsx'
import { MultiselectInput } from './multiselect-input.tsx'
import { inputTypeOf, typeOf, type InputType } from './types.ts'
import type { FormField } from './values.ts'

export type RecordInputProps = InputProps & {
  /** Display name of the related record. */
  label: string | undefined
  onLabel: (label: string) => void
}

/** A field's input by type; a new type does not compile without one. */
export function RecordInput(props: RecordInputProps) {
  const Input = INPUTS[inputTypeOf(props.field)]
  return <Input {...props} />
}

/** A text input: type=number hides unparsable input and changes on scroll. */
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

/** No maxlength: it would truncate pasted text silently. */
const LongInput = ({ register, aria }: InputProps) => (
  <textarea className={classOf('form-control', aria)} rows={4} {...register} {...aria} />
)

function MarkdownInput(props: InputProps) {
  const loaded = useLazyModule(markdown)
  if (loaded) return <loaded.MarkdownInput {...props} />
  return (
    <>
      <LongInput {...props} />
      <LazyModuleFailed part={markdown} />
    </>
  )
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

/** Shows an id input for a relation without a target. */
function RelationInput(props: RecordInputProps) {
  const loaded = useLazyModule(picker, Boolean(props.field.to))
  if (!props.field.to) return <TextInput {...props} />
  if (loaded) return <loaded.RelationPicker {...props} />
  const shown = props.label ?? String(props.value ?? '')
  return (
    <>
      <input
        className="form-control"
        id={props.aria.id}
        value={shown}
        placeholder={fieldMessages.choose}
        readOnly
      />
      <LazyModuleFailed part={picker} />
    </>
  )
}

const markdown = lazyModule(formMessages.parts.textEditor, () => import('./markdown-input.tsx'))
const picker = lazyModule(formMessages.parts.picker, () => import('./relation-picker.tsx'))

/** Preloads lazy inputs before the form shows, so that no placeholder receives input. */
export async function prepareInputs(fields: FormField[]) {
  const types = new Set(fields.map(typeOf))
  await Promise.all([
    types.has('markdown') && markdown.prepare(),
    types.has('relation') && picker.prepare(),
  ])
}

const INPUTS = {
  text: TextInput,
  textarea: LongInput,
  markdown: MarkdownInput,
  email: EmailInput,
  tel: TelInput,
  url: singleLine('url', { inputMode: 'url' }),
  integer: NumberInput,
  decimal: NumberInput,
  boolean: SwitchInput,
  date: singleLine('date'),
  datetime: singleLine('datetime-local'),
  select: SelectInput,
  multiselect: MultiselectInput,
  relation: RelationInput,
  ...HTML_INPUTS,
} satisfies Record<InputType, (props: RecordInputProps) => ReactNode>
