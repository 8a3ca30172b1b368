import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { Failure } from '#data/failure.ts'
import { formMessages } from '#messages/form.ts'
import { ErrorSummary } from './error-summary.tsx'
import { useSingleFlight } from './use-single-flight.ts'
import { useUnsavedValues, type Labels, type UnsavedValues } from './record-draft.ts'
import { RecordRow } from './record-row.tsx'
import { violationOf } from './rules.ts'
import { SaveButton, type AfterSave } from './save-button.tsx'
import { fieldFacts } from '#forms/inputs/types.ts'
import { useAddressSuggestion, type AddressSuggestion } from './suggest-address.ts'
import { useSaveShortcut } from './save-shortcut.ts'
import { startValues, toBody, type FormField, type FormValues } from '#forms/inputs/values.ts'

type Props = {
  fields: FormField[]
  /** The record to edit; absent on creation, where the fields' defaults apply. */
  record?: Record<string, unknown>
  typed?: UnsavedValues | null
  /** Display names of relations that have a default. */
  labels?: Record<string, string>
  /** Makes ids unique: a second form may be open in a drawer. */
  idPrefix?: string
  /** On creation, a field that another one fills in until it is edited. */
  suggestion?: AddressSuggestion | null
  saveLabel: string
  afterSave?: { after: AfterSave; label: string }[]
  cancel: ReactNode
  /** Called on every change with the unsaved values; null when there are none. */
  onTyped?: (typed: UnsavedValues | null) => void
  /** Resolves to the failure; undefined when saved, or when a conflict view takes over. */
  onSave: (body: Record<string, unknown>, after: AfterSave) => Promise<Failure | undefined>
}

export function RecordForm(props: Props) {
  const { fields, record, typed, suggestion = null, idPrefix = 'field', onSave } = props
  const start = useMemo(() => startValues(fields, record), [fields, record])
  const form = useForm<FormValues>({
    defaultValues: { ...start, ...typed?.values },
    shouldFocusError: false,
  })
  const [labels, setLabels] = useState({
    ...props.labels,
    ...labelsOf(record),
    ...typed?.labels,
  })
  const [failure, setFailure] = useState<Failure | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const values = useWatch({ control: form.control }) as FormValues
  const { errors, isSubmitting } = form.formState
  useAddressSuggestion(form, { fields, values, suggestion })
  const changed = useUnsavedValues(fields, { start, values, labels }, props.onTyped)
  const shown = fields.filter((field) => fieldFacts(field).input !== 'hidden')

  // After "Save and keep editing", the stored record, which the server may have normalised, is the new base.
  const shownRecord = useRef(record)
  useEffect(() => {
    if (shownRecord.current === record) return
    shownRecord.current = record
    form.reset(start)
    setLabels(labelsOf(record))
    setFailure(null)
  }, [form, start, record])

  const save = useSingleFlight((after: AfterSave) =>
    form.handleSubmit(
      async (whole) => {
        setFailure(null)
        const found = await onSave(toBody(fields, whole, record), after)
        if (!found) return
        // Errors of fields that are not shown are skipped: they could never be cleared and would block every retry.
        for (const { field, message } of found.errors)
          if (shown.some(({ name }) => name === field)) form.setError(field, { message })
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
    )(),
  )
  useSaveShortcut(element, () => void save('leave'))

  return (
    <form
      method="post"
      className="panel form-panel"
      noValidate
      ref={element}
      onSubmit={(event) => {
        // React events of a drawer's form would bubble to the page's form.
        event.stopPropagation()
        event.preventDefault()
        void save('leave')
      }}
      aria-busy={isSubmitting}
    >
      <div className="body">
        {failure && <ErrorSummary failure={failure} fields={shown} idPrefix={idPrefix} />}
        {/* Inert while saving: further input would not be saved. */}
        <div className="fields" inert={isSubmitting}>
          {shown.map((field) => (
            <RecordRow
              key={field.name}
              idPrefix={idPrefix}
              field={field}
              message={errors[field.name]?.message}
              register={form.register(field.name, {
                validate: (value, whole) =>
                  (obstacleAt(`${idPrefix}-${field.name}`, field.label) ||
                    violationOf(
                      { ...field, required: isRequired(field, whole, record) },
                      value,
                      record?.[field.name],
                    )) ??
                  true,
              })}
              value={values[field.name]}
              label={labels[field.name]}
              onLabel={(label) => setLabels((last) => ({ ...last, [field.name]: label }))}
            />
          ))}
        </div>
      </div>
      <div className="foot">
        <SaveButton
          label={props.saveLabel}
          afterSave={props.afterSave ?? []}
          isSaving={isSubmitting}
          onSave={(after) => void save(after)}
        />
        {props.cancel}
        <span className="msg" aria-live="polite">
          {changed.length > 0 && formMessages.unsaved(changed.length)}
        </span>
      </div>
    </form>
  )
}

/** `requiredUnless` applies only on creation. */
const isRequired = ({ required, requiredUnless }: FormField, values: FormValues, record?: object) =>
  Boolean(required) && (record !== undefined || !requiredUnless || !values[requiredUnless])

/**
 * What an input itself reports: a partly typed date, whose value is empty but must not count as cleared, or an upload that is
 * not complete.
 */
function obstacleAt(id: string, label: string) {
  const input = document.getElementById(id)
  if (!(input instanceof HTMLInputElement)) return ''
  if (input.validity.badInput) return formMessages.halfTyped(label)
  return input.validity.customError ? input.validationMessage : ''
}

const labelsOf = (record: Record<string, unknown> | undefined) =>
  Object(record?.['labels']) as Labels
