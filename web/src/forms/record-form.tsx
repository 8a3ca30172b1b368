import { useEffect, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import type { Failure } from '#api.ts'
import { texts } from '#content/texts.ts'
import { Icon } from '#ui/icon.tsx'
import { FieldRow, rulesOf } from './field-row.tsx'
import { toBody, toInput, type FormField, type FormValues } from './values.ts'

type Props = {
  fields: FormField[]
  /** The record to change; absent when one is made, and then the fields' defaults hold. */
  record?: Record<string, unknown>
  cancelTo: string
  /** Resolves to what went wrong, or to nothing when it was saved. */
  onSave: (body: Record<string, unknown>) => Promise<Failure | undefined>
}

/** A form from the server's metadata: an input per field, the server's words where it refuses. */
export function RecordForm({ fields, record, cancelTo, onSave }: Props) {
  const form = useForm<FormValues>({ defaultValues: startValues(fields, record) })
  const [failure, setFailure] = useState<Failure | null>(null)
  const summary = useRef<HTMLDivElement>(null)
  const values = useWatch({ control: form.control })
  const { errors, isSubmitting } = form.formState

  useEffect(() => {
    if (failure) summary.current?.focus()
  }, [failure])

  const save = form.handleSubmit(
    async (typed) => {
      setFailure(null)
      const found = await onSave(toBody(fields, typed, record))
      if (!found) return
      // An error of a field that is not here would never be cleared, and block every next try.
      for (const { field, message } of found.errors)
        if (has(fields, field)) form.setError(field, { message })
      setFailure(found)
    },
    (invalid) =>
      setFailure({
        text: '',
        errors: Object.entries(invalid).map(([field, error]) => ({
          field,
          message: String(error?.message ?? ''),
        })),
      }),
  )

  return (
    <form
      className="panel form-panel"
      noValidate
      onSubmit={(event) => void save(event)}
      aria-busy={isSubmitting}
    >
      <div className="body">
        {failure && (
          <div className="note danger" role="alert" tabIndex={-1} ref={summary}>
            <Icon name="exclamation-triangle-fill" />
            <div>
              <strong>{texts.notSaved}</strong> <span>{failure.text}</span>
              <FieldLinks failure={failure} fields={fields} />
            </div>
          </div>
        )}
        <div className="fields">
          {fields.map((field) => (
            <FieldRow
              key={field.name}
              field={field}
              message={errors[field.name]?.message}
              register={form.register(field.name, rulesOf(field))}
              value={values[field.name]}
            />
          ))}
        </div>
      </div>
      <div className="foot">
        <button type="submit" className="btn btn-primary btn-sm" disabled={isSubmitting}>
          {isSubmitting ? (
            <>
              <span className="spin" aria-hidden="true" /> {texts.saving}
            </>
          ) : (
            texts.save
          )}
        </button>
        <Link className="btn btn-quiet btn-sm" to={cancelTo}>
          {texts.cancel}
        </Link>
      </div>
    </form>
  )
}

const FieldLinks = ({ failure, fields }: { failure: Failure; fields: FormField[] }) => (
  <ul className="note-list">
    {failure.errors.map(({ field, message }) => (
      <li key={`${field} ${message}`}>
        {has(fields, field) ? (
          <a
            href={`#field-${field}`}
            onClick={() => document.getElementById(`field-${field}`)?.focus()}
          >
            {message}
          </a>
        ) : (
          message
        )}
      </li>
    ))}
  </ul>
)

const has = (fields: FormField[], field: string) => fields.some(({ name }) => name === field)

const startValues = (fields: FormField[], record?: Record<string, unknown>): FormValues =>
  Object.fromEntries(
    fields.map((field) => [
      field.name,
      toInput(field, record ? record[field.name] : field.default),
    ]),
  )
