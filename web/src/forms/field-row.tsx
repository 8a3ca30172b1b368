import type { UseFormRegisterReturn } from 'react-hook-form'
import { texts } from '#content/texts.ts'
import { Icon } from '#ui/icon.tsx'
import { FieldInput } from './inputs.tsx'
import { typeOf, type FormField } from './values.ts'

type RowProps = {
  field: FormField
  message: string | undefined
  register: UseFormRegisterReturn
  value: unknown
}

/** Label, input, and below it the help or what is wrong: never both. */
export function FieldRow({ field, message, register, value }: RowProps) {
  const id = `field-${field.name}`
  const described = [message && `${id}-error`, !message && field.help && `${id}-help`]
    .filter(Boolean)
    .join(' ')
  const aria = {
    id,
    ...(described ? { 'aria-describedby': described } : {}),
    ...(message ? { 'aria-invalid': true as const } : {}),
  }
  const type = typeOf(field)
  const isWide = field.isWide || ['textarea', 'markdown', 'multiselect', 'url'].includes(type)
  const label = (
    <>
      {field.label}
      {field.unit && <span className="req"> ({field.unit})</span>}
      {!field.required && type !== 'boolean' && <span className="req"> {texts.optional}</span>}
    </>
  )
  return (
    <div className={isWide ? 'full' : undefined}>
      {type === 'multiselect' ? (
        <div className="form-label" id={`${id}-label`}>
          {label}
        </div>
      ) : (
        <label className="form-label" htmlFor={id}>
          {label}
        </label>
      )}
      <FieldInput field={field} register={register} aria={aria} value={value} />
      {message && (
        <div className="invalid-feedback" id={`${id}-error`}>
          <Icon name="exclamation-circle-fill" />
          {message}
        </div>
      )}
      {!message && field.help && (
        <div className="hint" id={`${id}-help`}>
          {field.help}
        </div>
      )}
    </div>
  )
}

/** What can be said before the server is asked; the server says the rest. */
export function rulesOf(field: FormField) {
  const type = typeOf(field)
  if (type === 'boolean') return {}
  return {
    ...(field.required ? { required: texts.required(field.label) } : {}),
    ...(type === 'integer' || type === 'decimal'
      ? {
          validate: (value: unknown) =>
            value === '' || !Number.isNaN(Number(value)) || texts.notANumber(field.label),
        }
      : {}),
    ...(type === 'email' ? { pattern: { value: ADDRESS, message: texts.notAnAddress } } : {}),
  }
}

/** A first look only: the server decides what an address is. */
const ADDRESS = /^\s*[^@\s]+@[^@\s]+\.[^@\s]+\s*$/
