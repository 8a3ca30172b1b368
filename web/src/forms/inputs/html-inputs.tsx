import { classOf, line, type InputProps } from './inputs.tsx'
import { boundsOf } from './shown.ts'

/** HTML's own inputs, for the fields of servers that speak HTML's types. */
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
  'datetime-local': line('datetime-local'),
  time: line('time'),
  month: line('month'),
  week: line('week'),
  search: line('search'),
  color: ({ register, aria, value }: InputProps) => (
    <input
      className={classOf('form-control', aria)}
      type="color"
      {...beginsWith(value)}
      {...register}
      {...aria}
    />
  ),
  password: line('password', { autoComplete: 'new-password' }),
  hidden: () => null,
}

function RadioInput({ field, register, aria, value }: InputProps) {
  const options = field.options ?? []
  // A value that is offered no longer must still be seen, or it would look as if there were none.
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

/** These two are never empty: without a beginning, react-hook-form takes the browser's own for something a person chose. */
const beginsWith = (value: unknown) => ({ defaultValue: String(value ?? '') })
