import { FIELD_TYPES, type FieldType } from '@gatehouse/model'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { fieldMessages } from '#messages/fields.ts'
import type { FormField } from './values.ts'

export type InputProps = {
  field: FormField
  register: UseFormRegisterReturn
  aria: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }
  value: unknown
}

/** A field of a public page's form: of a type whose input is in the first scripts. */
export type PublicField = FormField & { type: PublicType }

type PublicType = {
  [T in FieldType]: (typeof FIELD_TYPES)[T]['input'] extends keyof typeof PUBLIC_INPUTS ? T : never
}[FieldType]

/** Inputs shared with public pages; record-only ones are in record-inputs.tsx. */
export function FieldInput(props: InputProps & { field: PublicField }) {
  const Input = PUBLIC_INPUTS[FIELD_TYPES[props.field.type].input]
  return <Input {...props} />
}

export const classOf = (name: 'form-control' | 'form-select', aria: InputProps['aria']) =>
  `${name}${aria['aria-invalid'] ? ' is-invalid' : ''}`

export const singleLine = (type: string, extra: object = {}) =>
  function LineInput({ field, register, aria }: InputProps) {
    return (
      <input
        className={classOf('form-control', aria)}
        type={type}
        {...extra}
        {...(field.maxLength ? { maxLength: field.maxLength } : {})}
        {...(field.autocomplete ? { autoComplete: field.autocomplete } : {})}
        {...register}
        {...aria}
      />
    )
  }

export const TextInput = singleLine('text')
export const TelInput = singleLine('tel', { inputMode: 'tel' })
export const EmailInput = singleLine('email', { autoComplete: 'off' })

const LongInput = ({ field, register, aria }: InputProps) => (
  <textarea
    className={classOf('form-control', aria)}
    rows={4}
    {...(field.maxLength ? { maxLength: field.maxLength } : {})}
    {...register}
    {...aria}
  />
)

export function SelectInput({ field, register, aria, value }: InputProps) {
  const options = field.options ?? []
  // Keeps a stored value visible that is no longer an option.
  const isRetired =
    typeof value === 'string' && value !== '' && !options.some((one) => one.value === value)
  return (
    <select className={classOf('form-select', aria)} {...register} {...aria}>
      {!field.required && <option value="">{fieldMessages.chooseNone}</option>}
      {field.required && (
        <option value="" hidden>
          {fieldMessages.choose}
        </option>
      )}
      {isRetired && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label ?? option.value}
        </option>
      ))}
    </select>
  )
}

const PUBLIC_INPUTS = {
  line: TextInput,
  lines: LongInput,
  email: EmailInput,
  tel: TelInput,
  select: SelectInput,
}
