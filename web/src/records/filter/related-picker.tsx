import { useId, useState } from 'react'
import { formMessages } from '#messages/form.ts'
import { filterMessages } from '#messages/filter.ts'
import { useChoices } from '#forms/inputs/use-choices.ts'
import { definitionAt } from '#data/definitions.ts'
import { LoadFailed } from '#ui/load-failed.tsx'
import { valueCount, toggleValue, type ValueProps } from '#records/query/filter-draft.ts'

/** Picks records of another model: chosen ones first, then matches. */
export function RelatedPicker({ field, choice, values, names, onNamed, onChange }: ValueProps) {
  const [text, setText] = useState('')
  const { choices, next, status, loadMore, retry } = useChoices(field.to ?? '', {
    text,
    isOpen: true,
  })
  const group = useId()
  const isMany = valueCount(choice) === 'many'
  const others = choices.filter(({ id }) => !values.includes(id))
  const shown = [...values.map((id) => ({ id, label: names[id] ?? id })), ...others]
  const canSearch = definitionAt(field.to ?? '')?.viewData.fields.some((one) => one.searchable)
  return (
    <fieldset className="ticks">
      <legend className="form-label">{field.label}</legend>
      {canSearch && (
        <input
          className="form-control"
          type="text"
          inputMode="search"
          autoComplete="off"
          aria-label={filterMessages.findRelated(field.label)}
          placeholder={filterMessages.findRelated(field.label)}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      {shown.map(({ id, label }) => (
        <label key={id}>
          <input
            className="form-check-input"
            type={isMany ? 'checkbox' : 'radio'}
            name={group}
            checked={values.includes(id)}
            onChange={({ target }) => {
              onNamed({ [id]: label })
              onChange(isMany ? toggleValue(values, id, target.checked) : [id])
            }}
          />
          {label}
        </label>
      ))}
      {next && (
        <button type="button" className="btn btn-quiet btn-sm" onClick={loadMore}>
          {formMessages.loadMore}
        </button>
      )}
      {status === 'failed' && <LoadFailed message={filterMessages.relatedFailed} onRetry={retry} />}
      <p className="muted" role="status">
        {status === 'idle' && choices.length === 0 && text && filterMessages.nothingFound}
      </p>
    </fieldset>
  )
}
