import { useEffect, useRef, useState } from 'react'
import { listMessages } from '#messages/list.ts'
import type { DefinitionField } from '#data/field.ts'
import type { Definition } from '#data/definitions.ts'
import { Icon } from '#ui/icon.tsx'
import { columnsToChoose, displayField } from '#records/query/columns.ts'
import type { ListQuery } from '#records/query/list-url.ts'

type Props = { definition: Definition; columns: DefinitionField[]; query: ListQuery }

export function ViewMenu({ definition, columns, query }: Props) {
  const [announcement, setAnnouncement] = useState('')
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus({ preventScroll: true }), [])
  const display = displayField(definition).name
  const names = columns.map(({ name }) => name)
  const others = columnsToChoose(definition).filter(({ name }) => !names.includes(name))
  const show = (next: string[]) => query.change({ columns: next.join() }, { replace: true })

  function move(field: DefinitionField, by: -1 | 1) {
    const from = names.indexOf(field.name)
    const to = from + by
    show(names.toSpliced(from, 1).toSpliced(to, 0, field.name))
    setAnnouncement(listMessages.columnMoved(field.label, to + 1, names.length))
  }

  return (
    <div className="view-menu">
      <fieldset className="segments">
        <legend className="form-label">{listMessages.density}</legend>
        {[false, true].map((isCompact) => (
          <label key={String(isCompact)}>
            <input
              ref={isCompact === query.isCompact ? first : undefined}
              type="radio"
              name="density"
              checked={query.isCompact === isCompact}
              onChange={() =>
                query.change({ density: isCompact ? 'compact' : null }, { replace: true })
              }
            />
            <span>{isCompact ? listMessages.compact : listMessages.comfortable}</span>
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend className="form-label">{listMessages.columns}</legend>
        <ol className="column-list">
          {columns.map((field, place) => (
            <li key={field.name}>
              <label>
                <input
                  className="form-check-input"
                  type="checkbox"
                  checked
                  disabled={field.name === display}
                  onChange={() => show(names.filter((name) => name !== field.name))}
                />
                {field.label}
              </label>
              <MoveButton
                name={listMessages.columnUp(field.label)}
                icon="arrow-up"
                isDisabled={place === 0}
                onPress={() => move(field, -1)}
              />
              <MoveButton
                name={listMessages.columnDown(field.label)}
                icon="arrow-down"
                isDisabled={place === columns.length - 1}
                onPress={() => move(field, 1)}
              />
            </li>
          ))}
          {others.map((field) => (
            <li key={field.name}>
              <label>
                <input
                  className="form-check-input"
                  type="checkbox"
                  checked={false}
                  onChange={() => show([...names, field.name])}
                />
                {field.label}
              </label>
            </li>
          ))}
        </ol>
      </fieldset>
      <button
        type="button"
        className="btn btn-quiet btn-sm"
        disabled={query.columns === null}
        onClick={() => query.change({ columns: null }, { replace: true })}
      >
        {listMessages.resetColumns}
      </button>
      <span className="visually-hidden" role="status">
        {announcement}
      </span>
    </div>
  )
}

type MoveProps = { name: string; icon: string; isDisabled: boolean; onPress: () => void }

/** aria-disabled: a disabled button would lose the focus. */
const MoveButton = ({ name, icon, isDisabled, onPress }: MoveProps) => (
  <button
    type="button"
    className="btn btn-quiet btn-icon btn-sm"
    aria-label={name}
    aria-disabled={isDisabled}
    onClick={() => {
      if (!isDisabled) onPress()
    }}
  >
    <Icon name={icon} />
  </button>
)
