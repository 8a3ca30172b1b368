import { FIELD_TYPES } from '@gatehouse/model'
import type { ReactNode } from 'react'
import { fieldMessages } from '#messages/fields.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { FieldInput, type InputProps, type PublicField } from '#forms/inputs/inputs.tsx'

type RowProps = Omit<InputProps, 'aria' | 'field'> & {
  field: PublicField
  message: string | undefined
}

export function FieldRow({ field, message, register, value }: RowProps) {
  const id = `field-${field.name}`
  return (
    <div className={field.isWide || FIELD_TYPES[field.type].text?.isLong ? 'full' : undefined}>
      <label className="form-label" htmlFor={id}>
        {field.label}
        {!field.required && <span className="req"> {fieldMessages.optional}</span>}
      </label>
      <FieldInput
        field={field}
        register={register}
        aria={ariaOf(id, { message, hint: field.help })}
        value={value}
      />
      <Below id={id} message={message} hint={field.help} />
    </div>
  )
}

type Descriptions = { message: string | undefined; hint: ReactNode }

export const ariaOf = (id: string, { message, hint }: Descriptions): InputProps['aria'] => ({
  id,
  ...(message || hint ? { 'aria-describedby': `${id}-${message ? 'error' : 'help'}` } : {}),
  ...(message ? { 'aria-invalid': true } : {}),
})

export function Below({ id, message, hint }: Descriptions & { id: string }) {
  if (message)
    return (
      <div className="invalid-feedback" id={`${id}-error`}>
        <RecordIcon name="exclamation-circle-fill" />
        {message}
      </div>
    )
  return (
    hint && (
      <div className="hint" id={`${id}-help`}>
        {hint}
      </div>
    )
  )
}

/** Client-side validation; the server's is authoritative. */
export function rulesOf({ type, required, label }: PublicField) {
  const { text } = FIELD_TYPES[type]
  return {
    ...(required ? { required: fieldMessages.required(label) } : {}),
    ...(text?.search === 'address'
      ? { pattern: { value: ADDRESS, message: fieldMessages.notAnAddress } }
      : {}),
    ...(text?.search === 'digits'
      ? { pattern: { value: new RegExp(text.pattern), message: fieldMessages.notAPhone } }
      : {}),
  }
}

/** Rough check; the server validates. */
export const ADDRESS = /^\s*[^@\s]+@[^@\s]+\.[^@\s]+\s*$/
