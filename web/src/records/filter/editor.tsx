import { useEffect, useRef, useState } from 'react'
import { filterMessages } from '#messages/filter.ts'
import {
  choicesOf,
  fromDraft,
  valueCount,
  toDraft,
  type Choice,
  type Draft,
} from '#records/query/filter-draft.ts'
import { fieldFacts } from '#forms/inputs/types.ts'
import { FilterValue } from './value-input.tsx'
import { choiceLabel, type Names, type FilterContext } from '#records/query/filter-labels.ts'
import type { Chip } from '#records/query/filter.ts'

type Props = {
  context: FilterContext
  /** The chip to edit; null for a new one. */
  chip: Chip | null
  /** With display names of the chosen records. */
  onApply: (chip: Chip, names: Names) => void
  onRemove?: (button: HTMLElement) => void
}

export function FilterEditor({ context, chip, onApply, onRemove }: Props) {
  const { fields } = context
  const [chosen, setChosen] = useState<Names>({})
  const [draft, setDraft] = useState<Draft>(
    () => (chip && toDraft(chip, fields)) ?? emptyDraft(context, fields[0]?.name ?? ''),
  )
  const first = useRef<HTMLSelectElement>(null)
  useEffect(() => first.current?.focus({ preventScroll: true }), [])
  const field = fields.find(({ name }) => name === draft.field)
  if (!field) return null
  const made = fromDraft(draft, field)
  return (
    <form
      method="post"
      className="filter-editor"
      onSubmit={(event) => {
        event.preventDefault()
        if (made) onApply(made, chosen)
      }}
    >
      <label>
        <span className="form-label">{filterMessages.filterField}</span>
        <select
          ref={first}
          className="form-select"
          value={draft.field}
          onChange={({ target }) => setDraft(emptyDraft(context, target.value))}
        >
          {fields.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="form-label">{filterMessages.filterOperator}</span>
        <select
          className="form-select"
          value={draft.choice}
          onChange={({ target }) => setDraft(withChoice(draft, target.value as Choice))}
        >
          {choicesOf(field).map((choice) => (
            <option key={choice} value={choice}>
              {choiceLabel(choice, field)}
            </option>
          ))}
        </select>
      </label>
      {valueCount(draft.choice) !== 'none' && (
        <FilterValue
          // Keyed: a new field or condition resets the input.
          key={`${draft.field} ${draft.choice}`}
          field={field}
          choice={draft.choice}
          values={draft.values}
          names={{ ...context.names, ...chosen }}
          onNamed={(names) => setChosen({ ...chosen, ...names })}
          onChange={(values) => setDraft({ ...draft, values })}
        />
      )}
      <div className="foot">
        <button type="submit" className="btn btn-primary btn-sm" disabled={made === null}>
          {filterMessages.apply}
        </button>
        {onRemove && (
          <button
            type="button"
            className="btn btn-quiet btn-sm"
            onClick={({ currentTarget }) => onRemove(currentTarget)}
          >
            {filterMessages.remove}
          </button>
        )}
      </div>
    </form>
  )
}

const FIRST_VALUES: Partial<Record<Choice, string[]>> = { last: ['30'], next: ['30'] }

function emptyDraft({ fields }: FilterContext, name: string): Draft {
  const field = fields.find((one) => one.name === name)
  const choice = (field && choicesOf(field)[0]) ?? 'eq'
  const isYesNo = field && fieldFacts(field).json === 'boolean'
  return { field: name, choice, values: isYesNo ? ['true'] : (FIRST_VALUES[choice] ?? []) }
}

/** Keeps the value if the new condition takes the same kind. */
function withChoice(draft: Draft, choice: Choice): Draft {
  const isStretch = (one: Choice) => one === 'last' || one === 'next'
  if (isStretch(choice) !== isStretch(draft.choice))
    return { ...draft, choice, values: FIRST_VALUES[choice] ?? [] }
  const keptValues = valueCount(choice) === 'one' ? draft.values.slice(0, 1) : draft.values
  return { ...draft, choice, values: keptValues }
}
