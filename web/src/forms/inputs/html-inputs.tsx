import { classOf, singleLine, type InputProps } from './inputs.tsx'
import { boundsOf } from './normalised-value.ts'

/** Native inputs, for servers that use HTML's type names. */
export const HTML_INPUTS = {
  number: ({ field, register, aria }: InputProps) => (
    <input
      className={`${classOf('form-control', aria)} num`}
      type="number"
      autoComplete="off"
      {...boundsOf(field)}
      {...register}
      {...aria}
    />
  ),
  range: ({ field, register, aria, value }: InputProps) => (
    <div className="range-row">
      <input type="range" {...boundsOf(field)} {...beginsWith(value)} {...register} {...aria} />
      <output htmlFor={aria.id} className="num">
        {String(value ?? '')}
      </output>
    </div>
  ),
  checkbox: ({ register, aria }: InputProps) => (
    <input className="form-check-input" type="checkbox" {...register} {...aria} />
  ),
  radio: RadioInput,
  'datetime-local': singleLine('datetime-local'),
  time: singleLine('time'),
  month: singleLine('month'),
  week: singleLine('week'),
  search: singleLine('search'),
  color: ({ register, aria, value }: InputProps) => (
    <input
      className={classOf('form-control', aria)}
      type="color"
      {...beginsWith(value)}
      {...register}
      {...aria}
    />
  ),
  password: singleLine('password', { autoComplete: 'new-password' }),
  hidden: () => null,
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
