import { useContext, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { fieldMessages } from '#messages/fields.ts'
import { formMessages } from '#messages/form.ts'
import { siteMessages } from '#messages/site.ts'
import { definitionAt, nameOf } from '#data/definitions.ts'
import { Icon } from '#ui/icon.tsx'
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
  const shown = chosen ? (label ?? chosen) : ''
  const [text, setText] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  // A counter: each opening retries a failed load.
  const [creating, setCreating] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const creation = useContext(CreateRelated)
  const definition = definitionAt(to)
  const { choices, next, status, loadMore, retry } = useChoices(to, { text: text ?? '', isOpen })

  const close = () => {
    setOpen(false)
    setActive(-1)
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
      ? [{ key: 'more', label: formMessages.loadMore, isAction: true as const, run: loadMore }]
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
  const current = lines[active]
  const idOf = (index: number) => `${aria.id}-choice-${index}`
  useEffect(() => {
    if (active >= 0)
      document.getElementById(`${aria.id}-choice-${active}`)?.scrollIntoView?.({ block: 'nearest' })
  }, [active, aria.id])

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      if (!isOpen) setOpen(true)
      else if (lines.length > 0)
        setActive(
          active < 0 && step < 0 ? lines.length - 1 : (active + step + lines.length) % lines.length,
        )
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      current?.run()
    } else if (event.key === 'Escape' && isOpen) {
      // Escape closes only the list, not a drawer around it.
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }

  return (
    <div className="picker">
      <div className="picker-line">
        <input
          className={classOf('form-select', aria)}
          type="text"
          role="combobox"
          ref={input}
          {...aria}
          aria-expanded={isOpen}
          aria-controls={`${aria.id}-choices`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && current ? idOf(active) : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={
            isOpen ? formMessages.searchIn(definition?.viewData.title ?? to) : fieldMessages.choose
          }
          value={text ?? shown}
          onChange={(event) => {
            setText(event.target.value)
            setActive(-1)
            setOpen(true)
          }}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
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
            <Icon name="arrow-right" />
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
          id={`${aria.id}-choices`}
          aria-labelledby={`${aria.id}-label`}
          aria-busy={status === 'searching'}
        >
          {isOpen &&
            lines.map((one, index) => (
              // Keyboard handling is on the input.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={one.key}
                id={idOf(index)}
                role="option"
                tabIndex={-1}
                aria-selected={one.isChosen ?? false}
                className={[index === active && 'on', one.isAction && 'act']
                  .filter(Boolean)
                  .join(' ')}
                // Keeps the focus in the input.
                onMouseDown={(event) => event.preventDefault()}
                onClick={one.run}
              >
                {one.isAction && one.key === 'create' && <Icon name="plus-lg" />}
                {one.label}
                {one.isChosen && <Icon name="check2" />}
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
