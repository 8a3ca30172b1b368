import type { UseFormRegisterReturn } from 'react-hook-form'
import { fieldMessages } from '#messages/fields.ts'
import { typeOf } from './types.ts'
import type { FormField } from './values.ts'

export type InputProps = {
  field: FormField
  register: UseFormRegisterReturn
  aria: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }
  value: unknown
}

/** Inputs shared with public pages; record-only ones are in record-inputs.tsx. */
export function FieldInput(props: InputProps) {
  const type = typeOf(props.field)
  if (type === 'select') return <SelectInput {...props} />
  if (type === 'textarea') return <LongInput {...props} />
  if (type === 'tel') return <TelInput {...props} />
  return type === 'email' ? <EmailInput {...props} /> : <TextInput {...props} />
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
