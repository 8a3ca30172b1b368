import type { ReactNode } from 'react'
import { site } from '#base/site.ts'
import { fieldMessages } from '#messages/fields.ts'
import { formMessages } from '#messages/form.ts'
import { ariaOf, Below } from './field-row.tsx'
import { recordInput, type RecordInputProps } from '#forms/inputs/record-inputs.tsx'
import { lengthOf } from './rules.ts'
import { fieldFacts, isLong } from '#forms/inputs/types.ts'
import type { FormField } from '#forms/inputs/values.ts'

type RowProps = Omit<RecordInputProps, 'aria'> & {
  /** Makes ids unique: a second form may be open in a drawer. */
  idPrefix: string
  message: string | undefined
}

/** Share of maxLength from which the counter shows. */
const COUNTER_FROM = 0.9

export function RecordRow({ idPrefix, message, ...props }: RowProps) {
  const { field, value } = props
  const id = `${idPrefix}-${field.name}`
  const { Input, layout } = recordInput(field)
  const hint = hintOf(field, value)
  const input = <Input {...props} aria={ariaOf(id, { message, hint })} />
  const label = (
    <>
      {field.label}
      {field.unit && <span className="req"> ({field.unit})</span>}
      {field.required === false && layout !== 'toggle' && (
        <span className="req"> {fieldMessages.optional}</span>
      )}
    </>
  )
  if (layout === 'toggle')
    return (
      <div className="full">
        <div className="switch-row">
          {input}
          <label htmlFor={id}>{label}</label>
        </div>
        <Below id={id} message={message} hint={hint} />
      </div>
    )
  return (
    <div className={field.isWide || layout?.startsWith('wide') ? 'full' : undefined}>
      {layout === 'group' || layout === 'wideGroup' ? (
        <div className="form-label" id={`${id}-label`}>
          {label}
        </div>
      ) : (
        <label className="form-label" htmlFor={id} id={`${id}-label`}>
          {label}
        </label>
      )}
      {input}
      <Below id={id} message={message} hint={hint} />
      <Counter field={field} value={value} />
    </div>
  )
}

function hintOf(field: FormField, value: unknown): ReactNode {
  const parts = [
    field.help,
    rangeOf(field),
    fieldFacts(field).column === 'timestamp' && zoneOf(value),
  ]
  return parts.filter(Boolean).join(' ') || undefined
}

function rangeOf(field: FormField) {
  if (!fieldFacts(field).number) return ''
  const { range } = formMessages
  const [min, max] = [field.min, field.max].map((limit) => limit?.toString())
  const step = Number.isFinite(Number(field.step)) && field.step !== 1 ? String(field.step) : null
  if (min && max) return step ? range.betweenInSteps(min, max, step) : range.between(min, max)
  if (min) return step ? range.atLeastInSteps(min, step) : range.atLeast(min)
  if (max) return step ? range.atMostInSteps(max, step) : range.atMost(max)
  return step ? range.steps(step) : ''
}

/** The reader's time zone, abbreviated as of the entered instant (DST). */
function zoneOf(value: unknown) {
  const at = new Date(typeof value === 'string' && value ? value : Date.now())
  const format = new Intl.DateTimeFormat(site.locale, { timeZoneName: 'short' })
  const short = Number.isNaN(at.getTime())
    ? ''
    : format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value
  return formMessages.zone(format.resolvedOptions().timeZone, short ?? '')
}

/** Characters left, only near the limit: a live region must not announce every key. */
function Counter({ field, value }: { field: FormField; value: unknown }) {
  const max = field.maxLength
  if (!max || !isLong(field)) return null
  const length = lengthOf(String(value ?? ''))
  return (
    <div className={length > max ? 'counter over' : 'counter'} aria-live="polite">
      {length >= max * COUNTER_FROM &&
        (length > max ? formMessages.over(length - max) : formMessages.left(max - length))}
    </div>
  )
}
