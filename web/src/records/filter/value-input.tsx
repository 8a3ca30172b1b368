import { isPlainLine, type FilterInputName } from '@gatehouse/model'
import { useId, type ReactNode } from 'react'
import type { DefinitionField } from '#data/field.ts'
import { fieldMessages } from '#messages/fields.ts'
import { filterMessages } from '#messages/filter.ts'
import { recordMessages } from '#messages/record.ts'
import { fieldFacts, typeOf } from '#forms/inputs/types.ts'
import { valueCount, toggleValue, type ValueProps } from '#records/query/filter-draft.ts'
import { RelatedPicker } from './related-picker.tsx'
import { WhenInput } from './date-condition-input.tsx'

export function FilterValue(props: ValueProps) {
  const { field, choice } = props
  const isMany = valueCount(choice) === 'many'
  if (choice === 'last' || choice === 'next') return <DaysInput {...props} />
  const { Input, takesMany } = filterInput(field)
  if (takesMany) return <Input {...props} />
  if (field.options && isMany) return <CheckboxList {...props} options={field.options} />
  if (field.options) return <OptionInput {...props} options={field.options} />
  return isMany ? <LinesInput {...props} /> : <Input {...props} />
}

type FilterInput = {
  Input: (props: ValueProps) => ReactNode
  /** Also for a list of values, and whatever options the field has. */
  takesMany?: boolean
}

const filterInput = (field: DefinitionField): FilterInput =>
  FILTER_INPUTS[fieldFacts(field).filterInput]

const YES_NO = [
  { value: 'true', label: recordMessages.yes },
  { value: 'false', label: recordMessages.no },
]
type Options = { options: { value: string; label?: string }[] }

const DaysInput = ({ values, onChange }: ValueProps) => (
  <label>
    <span className="form-label">{filterMessages.days}</span>
    <input
      className="form-control"
      type="number"
      min="1"
      max="9999"
      value={values[0] ?? ''}
      onChange={({ target }) => onChange([target.value])}
    />
  </label>
)

const OptionInput = ({ values, options, onChange }: ValueProps & Options) => (
  <label>
    <span className="form-label">{filterMessages.filterValue}</span>
    <select
      className="form-select"
      value={values[0] ?? ''}
      onChange={({ target }) => onChange([target.value])}
    >
      {!values[0] && <option value="">{fieldMessages.choose}</option>}
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label ?? value}
        </option>
      ))}
    </select>
  </label>
)

const CheckboxList = ({ values, options, onChange }: ValueProps & Options) => (
  <fieldset className="ticks">
    <legend className="form-label">{filterMessages.filterValues}</legend>
    {options.map(({ value, label }) => (
      <label key={value}>
        <input
          className="form-check-input"
          type="checkbox"
          checked={values.includes(value)}
          onChange={({ target }) => onChange(toggleValue(values, value, target.checked))}
        />
        {label ?? value}
      </label>
    ))}
  </fieldset>
)

function LinesInput({ values, onChange }: ValueProps) {
  const help = useId()
  return (
    <label>
      <span className="form-label">{filterMessages.filterValues}</span>
      <textarea
        className="form-control"
        rows={4}
        aria-describedby={help}
        defaultValue={values.join('\n')}
        onChange={({ target }) =>
          onChange(target.value.split('\n').flatMap((line) => line.trim() || []))
        }
      />
      <span className="form-text" id={help}>
        {filterMessages.onePerLine}
      </span>
    </label>
  )
}

const NumberValue = ({ field, values, onChange }: ValueProps) => (
  <label>
    <span className="form-label">{filterMessages.filterValue}</span>
    <input
      className="form-control"
      type="number"
      step={fieldFacts(field).json === 'integer' ? undefined : 'any'}
      value={values[0] ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? [] : [target.value])}
    />
  </label>
)

function TextValue({ field, choice, values, onChange }: ValueProps) {
  const [value = ''] = values
  const isMe = value === '@me'
  const canBeMe = isPlainLine({ type: typeOf(field) }) && (choice === 'eq' || choice === 'ne')
  return (
    <>
      <label>
        <span className="form-label">{filterMessages.filterValue}</span>
        <input
          className="form-control"
          type="text"
          maxLength={200}
          disabled={isMe}
          value={isMe ? '' : value}
          onChange={({ target }) => onChange(target.value === '' ? [] : [target.value])}
        />
      </label>
      {canBeMe && (
        <label className="tick">
          <input
            className="form-check-input"
            type="checkbox"
            checked={isMe}
            onChange={({ target }) => onChange(target.checked ? ['@me'] : [])}
          />
          {filterMessages.meChoice} <small className="muted">{filterMessages.meHelp}</small>
        </label>
      )}
    </>
  )
}

/** The value input of each name in the field types; a new name does not compile without one. */
const FILTER_INPUTS = {
  text: { Input: TextValue },
  number: { Input: NumberValue },
  when: { Input: WhenInput },
  yesNo: { Input: (props) => <OptionInput {...props} options={YES_NO} />, takesMany: true },
  relation: { Input: RelatedPicker, takesMany: true },
} satisfies Record<FilterInputName, FilterInput>
