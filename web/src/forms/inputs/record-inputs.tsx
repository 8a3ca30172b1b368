import type { FileLabel } from '@gatehouse/model'
import type { ReactNode } from 'react'
import { fieldMessages } from '#messages/fields.ts'
import { formMessages } from '#messages/form.ts'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'
import { fileLimits } from './file-limits.ts'
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
import { reportChange } from './report-change.ts'
import { fieldFacts, type InputName } from './types.ts'
import type { FormField } from './values.ts'

export type RecordInputProps = InputProps & {
  /** Display name of the related record, or the field's files. */
  label: InputLabel | undefined
  onLabel: (label: InputLabel) => void
}

export type InputLabel = string | FileLabel[]

type RecordInputRenderer = {
  Input: (props: RecordInputProps) => ReactNode
  /** `wide` takes the whole row, `group` labels each part, `toggle` has its label behind. */
  layout?: 'wide' | 'group' | 'wideGroup' | 'toggle'
  /** Loads the input before the form shows, so that no placeholder receives input. */
  prepare?: () => Promise<unknown>
}

export const recordInput = (field: FormField): RecordInputRenderer =>
  INPUTS[fieldFacts(field).input]

/** A text input: type=number hides unparsable input and changes on scroll. */
const NumberInput = ({ field, register, aria }: InputProps) => (
  <input
    className={`${classOf('form-control', aria)} num`}
    type="text"
    inputMode={
      fieldFacts(field).json === 'integer' && (field.min ?? -1) >= 0 ? 'numeric' : 'decimal'
    }
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

const ToggleInput = ({ register, aria, value }: InputProps) => (
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
  const shown = typeof props.label === 'string' ? props.label : String(props.value ?? '')
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

/** Its label is the list of files. */
function FilesInput({ field, register, aria, label, onLabel }: RecordInputProps) {
  const loaded = useLazyModule(files)
  if (!loaded) return <LazyModuleFailed part={files} />
  const { id, ...described } = aria
  return (
    <loaded.FileInput
      id={id}
      label={field.label}
      {...fileLimits(field)}
      aria={described}
      files={typeof label === 'string' ? [] : (label ?? [])}
      onChange={(now) => {
        onLabel(now)
        reportChange(
          register,
          now.map((file) => file.id),
        )
      }}
    />
  )
}

const files = lazyModule(formMessages.parts.files, () => import('#files/file-input.tsx'))
const markdown = lazyModule(formMessages.parts.textEditor, () => import('./markdown-input.tsx'))
const picker = lazyModule(formMessages.parts.picker, () => import('./relation-picker.tsx'))

export const prepareInputs = (fields: FormField[]) =>
  Promise.all(fields.flatMap((field) => recordInput(field).prepare?.() ?? []))

/** The input of each name in the field types; a new name does not compile without one. */
const INPUTS = {
  line: { Input: TextInput },
  lines: { Input: LongInput, layout: 'wide' },
  markdown: { Input: MarkdownInput, layout: 'wide', prepare: markdown.prepare },
  email: { Input: EmailInput },
  tel: { Input: TelInput },
  url: { Input: singleLine('url', { inputMode: 'url' }), layout: 'wide' },
  integer: { Input: NumberInput },
  decimal: { Input: NumberInput },
  toggle: { Input: ToggleInput, layout: 'toggle' },
  date: { Input: singleLine('date') },
  instant: { Input: singleLine('datetime-local') },
  select: { Input: SelectInput },
  multiselect: { Input: MultiselectInput, layout: 'wideGroup' },
  relation: { Input: RelationInput, prepare: picker.prepare },
  files: { Input: FilesInput, layout: 'wide', prepare: files.prepare },
  ...HTML_INPUTS,
} satisfies Record<InputName, RecordInputRenderer>
