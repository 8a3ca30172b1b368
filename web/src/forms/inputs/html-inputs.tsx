import { classOf, singleLine, type InputProps } from './inputs.tsx'
import { boundsOf } from './input-values.ts'

/** Native inputs, for servers that use HTML's type names. */
export const HTML_INPUTS = {
  number: { Input: NumberInput },
  range: { Input: RangeInput },
  checkbox: { Input: CheckboxInput, layout: 'toggle' },
  radio: { Input: RadioInput, layout: 'group' },
  datetimeLocal: { Input: singleLine('datetime-local') },
  time: { Input: singleLine('time') },
  month: { Input: singleLine('month') },
  week: { Input: singleLine('week') },
  search: { Input: singleLine('search') },
  color: { Input: ColourInput },
  password: { Input: singleLine('password', { autoComplete: 'new-password' }) },
  hidden: { Input: () => null },
} as const

function NumberInput({ field, register, aria }: InputProps) {
  return (
    <input
      className={`${classOf('form-control', aria)} num`}
      type="number"
      autoComplete="off"
      {...boundsOf(field)}
      {...register}
      {...aria}
    />
  )
}

function RangeInput({ field, register, aria, value }: InputProps) {
  return (
    <div className="range-row">
      <input type="range" {...boundsOf(field)} {...beginsWith(value)} {...register} {...aria} />
      <output htmlFor={aria.id} className="num">
        {String(value ?? '')}
      </output>
    </div>
  )
}

function CheckboxInput({ register, aria }: InputProps) {
  return <input className="form-check-input" type="checkbox" {...register} {...aria} />
}

function ColourInput({ register, aria, value }: InputProps) {
  return (
    <input
      className={classOf('form-control', aria)}
      type="color"
      {...beginsWith(value)}
      {...register}
      {...aria}
    />
  )
}

function RadioInput({ field, register, aria, value }: InputProps) {
  const options = field.options ?? []
  // Keeps a stored value visible that is no longer an option.
  const isRetired =
    typeof value === 'string' && value !== '' && !options.some((one) => one.value === value)
  return (
    <fieldset
      className="choices"
      role="radiogroup"
      {...aria}
      aria-labelledby={`${aria.id}-label`}
      tabIndex={-1}
    >
      {[...options, ...(isRetired ? [{ value }] : [])].map((option) => (
        <label key={option.value} className="form-check">
          <input className="form-check-input" type="radio" value={option.value} {...register} />
          {option.label ?? option.value}
        </label>
      ))}
    </fieldset>
  )
}

/** Always set: without a default, react-hook-form treats the browser's initial value as a user's choice. */
const beginsWith = (value: unknown) => ({ defaultValue: String(value ?? '') })
