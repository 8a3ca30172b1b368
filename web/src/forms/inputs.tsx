import type { FieldType } from '@gatehouse/model'
import { useEffect, useState, type ComponentType } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { callApi } from '#api.ts'
import { texts } from '#content/texts.ts'
import { definitionAt } from '#models.ts'
import { typeOf, type FormField } from './values.ts'

type InputProps = {
  field: FormField
  register: UseFormRegisterReturn
  /** Wired to the label, the help and the error. */
  aria: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }
  value: unknown
}

/** The input of a field, by its type. A new type does not compile until it has one here. */
export function FieldInput(props: InputProps) {
  const Input = INPUTS[typeOf(props.field)]
  return <Input {...props} />
}

const simple = (type: string, extra: object = {}): ComponentType<InputProps> =>
  function SimpleInput({ field, register, aria }) {
    return (
      <input
        className={`form-control${aria['aria-invalid'] ? ' is-invalid' : ''}`}
        type={type}
        {...extra}
        {...(field.maxLength ? { maxLength: field.maxLength } : {})}
        {...(field.autocomplete ? { autoComplete: field.autocomplete } : {})}
        {...register}
        {...aria}
      />
    )
  }

function NumberInput({ field, register, aria }: InputProps) {
  const step = field.step ?? (field.type === 'decimal' ? 0.01 : 1)
  const { min, max } = field
  return (
    <input
      className={`form-control${aria['aria-invalid'] ? ' is-invalid' : ''}`}
      type="number"
      inputMode="decimal"
      step={step}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      {...register}
      {...aria}
    />
  )
}

function LongInput({ field, register, aria }: InputProps) {
  return (
    <textarea
      className={`form-control${aria['aria-invalid'] ? ' is-invalid' : ''}`}
      rows={field.type === 'markdown' ? 8 : 4}
      {...(field.maxLength ? { maxLength: field.maxLength } : {})}
      {...register}
      {...aria}
    />
  )
}

const BooleanInput = ({ register, aria }: InputProps) => (
  <input className="switch" type="checkbox" {...register} {...aria} />
)

function SelectInput({ field, register, aria, value }: InputProps) {
  const options = field.options ?? []
  // A value that is offered no longer must still be seen, or it would look as if there were none.
  const isRetired =
    typeof value === 'string' && value !== '' && !options.some((one) => one.value === value)
  return (
    <select
      className={`form-select${aria['aria-invalid'] ? ' is-invalid' : ''}`}
      {...register}
      {...aria}
    >
      {!field.required && <option value="">{texts.chooseNone}</option>}
      {field.required && (
        <option value="" hidden>
          {texts.choose}
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

/** Choices as ticks; where any word is welcome, a line of words with commas between. */
function MultiselectInput({ field, register, aria, value }: InputProps) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  const options = [...new Set([...(field.options?.map((option) => option.value) ?? []), ...chosen])]
  return (
    <fieldset id={aria.id} aria-labelledby={`${aria.id}-label`} tabIndex={-1}>
      {options.map((option) => (
        <label key={option} className="form-check">
          <input className="form-check-input" type="checkbox" value={option} {...register} />
          {field.options?.find((one) => one.value === option)?.label ?? option}
        </label>
      ))}
      {field.free && <TagInput register={register} chosen={chosen} label={field.label} />}
    </fieldset>
  )
}

function TagInput({
  register,
  chosen,
  label,
}: {
  register: UseFormRegisterReturn
  chosen: string[]
  label: string
}) {
  const [text, setText] = useState('')
  const add = () => {
    const words = text
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean)
    if (words.length === 0) return
    const value = [...new Set([...chosen, ...words])]
    void register.onChange({ target: { name: register.name, value }, type: 'change' })
    setText('')
  }
  return (
    <input
      className="form-control"
      aria-label={texts.addTo(label)}
      placeholder={texts.addTags}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={add}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        add()
      }}
    />
  )
}

type Choice = { id: string; label: string }

/** The first records of the model it leads to; where nothing says which, the id itself. */
function RelationInput({ field, register, aria, value }: InputProps) {
  const [choices, setChoices] = useState<Choice[]>([])
  const { to } = field
  useEffect(() => {
    if (!to) return
    const leaving = new AbortController()
    void loadChoices(to, leaving.signal).then(setChoices, () => {})
    return () => leaving.abort()
  }, [to])
  if (!to) return <PlainText field={field} register={register} aria={aria} value={value} />
  const current =
    typeof value === 'string' && value !== '' && !choices.some(({ id }) => id === value)
      ? [{ id: value, label: value }]
      : []
  return (
    <select
      className={`form-select${aria['aria-invalid'] ? ' is-invalid' : ''}`}
      {...register}
      {...aria}
    >
      <option value="">{texts.chooseNone}</option>
      {[...current, ...choices].map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  )
}

const CHOICES_MAX = 100

async function loadChoices(to: string, signal: AbortSignal): Promise<Choice[]> {
  const definition = definitionAt(to)
  const response = await callApi(`${definition?.routeName ?? to}?limit=${CHOICES_MAX}&total=none`, {
    signal,
  })
  if (!response.ok) return []
  const body: unknown = await response.json()
  const items: unknown = Array.isArray(body) ? body : Reflect.get(Object(body), 'items')
  const display = definition?.viewData.displayField ?? 'id'
  return Array.isArray(items)
    ? items.map((item) => ({
        id: String(Reflect.get(Object(item), 'id')),
        label: String(Reflect.get(Object(item), display)),
      }))
    : []
}

const PlainText = simple('text')

const INPUTS = {
  text: PlainText,
  textarea: LongInput,
  markdown: LongInput,
  email: simple('email', { autoComplete: 'off' }),
  tel: simple('tel'),
  url: simple('url'),
  integer: NumberInput,
  decimal: NumberInput,
  boolean: BooleanInput,
  date: simple('date'),
  datetime: simple('datetime-local'),
  select: SelectInput,
  multiselect: MultiselectInput,
  relation: RelationInput,
} satisfies Record<FieldType, ComponentType<InputProps>>
