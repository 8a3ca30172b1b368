import { useContext, useRef, useState } from 'react'
import { Link } from 'react-router'
import { fieldMessages } from '#messages/fields.ts'
import { formMessages } from '#messages/form.ts'
import { siteMessages } from '#messages/site.ts'
import { definitionAt, nameOf } from '#data/definitions.ts'
import { Icon } from '#ui/icon.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'
import { useCombobox } from '#ui/use-combobox.ts'
import { reportChange } from './report-change.ts'
import { CreateRelated } from './create-related.ts'
import { classOf } from './inputs.tsx'
import type { RecordInputProps } from './record-inputs.tsx'
import type { Choice } from './relation-search.ts'
import { useChoices } from './use-choices.ts'

type PickerOption = {
  key: string
  label: string
  run: () => void
  isAction?: true
  isChosen?: boolean
}

/** An ARIA combobox over another model's records: the focus remains in the input. */
export function RelationPicker({ field, register, aria, value, label, onLabel }: RecordInputProps) {
  const to = field.to ?? ''
  const chosen = typeof value === 'string' ? value : ''
  const shown = chosen ? (typeof label === 'string' ? label : chosen) : ''
  const [text, setText] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  // A counter: each opening retries a failed load.
  const [creating, setCreating] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const creation = useContext(CreateRelated)
  const definition = definitionAt(to)
  const { choices, next, status, loadMore, retry } = useChoices(to, { text: text ?? '', isOpen })

  const close = () => {
    setOpen(false)
    combobox.reset()
    setText(null)
  }
  const pick = (choice: Choice) => {
    onLabel(choice.label)
    reportChange(register, choice.id)
    close()
  }
  const lines: PickerOption[] = [
    ...choices.map((choice) => ({
      key: choice.id,
      label: choice.label,
      isChosen: choice.id === chosen,
      run: () => pick(choice),
    })),
    ...(status === 'failed'
      ? [{ key: 'retry', label: siteMessages.tryAgain, isAction: true as const, run: retry }]
      : []),
    ...(next
      ? [
          {
            key: `more ${next}`,
            label: formMessages.loadMore,
            isAction: true as const,
            run: loadMore,
          },
        ]
      : []),
    ...(creation?.canCreate(to) && definition
      ? [
          {
            key: 'create',
            label: formMessages.createRelated(nameOf(definition)),
            isAction: true as const,
            run: () => {
              close()
              setCreating(creating + 1)
            },
          },
        ]
      : []),
  ]
  const combobox = useCombobox({
    id: aria.id,
    options: lines,
    isOpen,
    onOpen: () => setOpen(true),
    onClose: close,
  })

  return (
    <div className="picker">
      <div className="picker-line">
        <input
          className={classOf('form-select', aria)}
          ref={input}
          {...aria}
          {...combobox.inputProps}
          placeholder={
            isOpen ? formMessages.searchIn(definition?.viewData.title ?? to) : fieldMessages.choose
          }
          value={text ?? shown}
          onChange={(event) => {
            setText(event.target.value)
            combobox.reset()
            setOpen(true)
          }}
          onClick={() => setOpen(true)}
          onBlur={() => {
            // An emptied input clears an optional value.
            if (text === '' && chosen && !field.required) reportChange(register, '')
            close()
          }}
        />
        {chosen && !field.required && (
          <button
            type="button"
            className="btn btn-quiet btn-icon"
            aria-label={formMessages.clear(field.label)}
            onClick={() => {
              reportChange(register, '')
              input.current?.focus()
            }}
          >
            <Icon name="x-lg" />
          </button>
        )}
        {chosen && definition && (
          <Link
            className="btn btn-quiet btn-icon"
            to={`/${definition.path.toLowerCase()}/${encodeURIComponent(chosen)}`}
            aria-label={formMessages.openRelated(shown)}
          >
            <RecordIcon name="arrow-right" />
          </Link>
        )}
      </div>
      <div className="visually-hidden" role="status">
        {isOpen && statusWords(status, choices.length)}
      </div>
      <div className="picker-list" hidden={!isOpen}>
        {isOpen && choices.length === 0 && (
          <p
            className={status === 'failed' ? 'picker-note danger' : 'picker-note'}
            aria-hidden="true"
          >
            {status === 'idle' && !text ? formMessages.noChoices : statusWords(status, 0)}
          </p>
        )}
        <div
          role="listbox"
          id={combobox.listId}
          aria-labelledby={`${aria.id}-label`}
          aria-busy={status === 'searching'}
        >
          {isOpen &&
            lines.map((one, index) => (
              // Keyboard handling is on the input.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={one.key}
                {...combobox.optionProps(index)}
                aria-selected={one.isChosen ?? false}
                className={[index === combobox.active && 'on', one.isAction && 'act']
                  .filter(Boolean)
                  .join(' ')}
              >
                {one.isAction && one.key === 'create' && <RecordIcon name="plus-lg" />}
                {one.label}
                {one.isChosen && <RecordIcon name="check2" />}
              </div>
            ))}
        </div>
      </div>
      {creating > 0 && creation && (
        <creation.Drawer
          key={creating}
          to={to}
          onMade={(made) => {
            setCreating(0)
            pick(made)
          }}
          onClose={() => setCreating(0)}
        />
      )}
    </div>
  )
}

function statusWords(status: 'idle' | 'searching' | 'failed', count: number) {
  if (status === 'failed') return formMessages.searchFailed
  if (status === 'searching') return formMessages.searching
  return count === 0 ? formMessages.noMatch : formMessages.matches(count)
}
