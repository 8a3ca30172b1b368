import { SEARCH_MAX_LENGTH, type Visitor } from '@gatehouse/model'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { takeTyping } from '#boot/typed-ahead.ts'
import { paletteMessages } from '#messages/palette.ts'
import { CloseButton } from '#ui/overlay/dialog.tsx'
import type { ModelAction } from '#records/actions/model-actions.ts'
import { useCombobox } from '#ui/use-combobox.ts'
import { KeyHints } from './key-hints.tsx'
import { PaletteIcon } from './palette-icon.tsx'
import { PaletteOption } from './palette-option.tsx'
import type { PaletteItem } from './palette-item.ts'
import { usePaletteGroups } from './use-palette-groups.ts'

const ID = 'palette-input'

type Modifiers = { ctrlKey: boolean; metaKey: boolean }
type Props = {
  visitor: Visitor
  recordActions: PaletteItem[]
  onAction: (action: ModelAction) => void
  onClose: () => void
}

export function PaletteSearch({ visitor, recordActions, ...on }: Props) {
  const [text, setText] = useState(takeTyping)
  // Enter pressed before the results arrived.
  const early = useRef<Modifiers>(null)
  const found = usePaletteGroups(text, { visitor, recordActions })
  const { groups, typed, isBusy, hasFailed, note, slow } = found
  const choose = useChoose(on)
  const options = groups.flatMap(({ items }) =>
    items.map((item) => ({ key: item.key, run: (event: Modifiers) => choose(item, event) })),
  )
  const combobox = useCombobox({
    id: ID,
    options,
    isOpen: options.length > 0,
    isAlwaysActive: true,
  })
  const input = useRef<HTMLInputElement>(null)
  // The dialog has focused itself.
  useEffect(() => input.current?.focus(), [])
  const runEarly = useEffectEvent(() => {
    if (early.current && !hasFailed) options[0]?.run(early.current)
    early.current = null
  })
  useEffect(() => {
    if (!isBusy) runEarly()
  }, [isBusy])

  function onKeyDown(event: KeyboardEvent) {
    const isEarly = event.key === 'Enter' && isBusy && !combobox.hasMoved
    if (!isEarly || event.nativeEvent.isComposing) return combobox.inputProps.onKeyDown(event)
    event.preventDefault()
    early.current = { ctrlKey: event.ctrlKey, metaKey: event.metaKey }
  }

  return (
    <>
      <div className="palette-line">
        <PaletteIcon name="search" />
        <input
          ref={input}
          id={ID}
          {...combobox.inputProps}
          aria-label={paletteMessages.input}
          placeholder={paletteMessages.title}
          enterKeyHint="go"
          maxLength={SEARCH_MAX_LENGTH}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            early.current = null
            combobox.reset()
          }}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden="true">{paletteMessages.keys.escape}</kbd>
        <CloseButton onClose={on.onClose} />
      </div>
      <div className="visually-hidden" role="status">
        {[note, !isBusy && options.length > 0 && paletteMessages.found(options.length), slow]
          .filter(Boolean)
          .join(' ')}
      </div>
      {note && (
        <p className={hasFailed ? 'palette-note danger' : 'palette-note'} aria-hidden="true">
          {note}
        </p>
      )}
      <div
        className="palette-results"
        role="listbox"
        id={combobox.listId}
        aria-label={paletteMessages.results}
        aria-busy={isBusy}
        hidden={options.length === 0}
      >
        {groups.map(({ title, items }) => (
          <div key={title} role="group" aria-label={title}>
            <div className="palette-group" role="presentation">
              {title}
            </div>
            {items.map((item) => {
              const index = options.findIndex(({ key }) => key === item.key)
              return (
                <PaletteOption
                  key={item.key}
                  item={item}
                  typed={typed}
                  isActive={index === combobox.active}
                  props={combobox.optionProps(index)}
                />
              )
            })}
          </div>
        ))}
      </div>
      {slow && (
        <p className="palette-note" aria-hidden="true">
          {slow}
        </p>
      )}
      <KeyHints hasNumbers={found.hasNumbers} />
    </>
  )
}

/** Closes the palette first, so that the focus is back when a dialog or another page takes it. */
function useChoose({ onAction, onClose }: Pick<Props, 'onAction' | 'onClose'>) {
  const navigate = useNavigate()
  return (item: PaletteItem, { ctrlKey, metaKey }: Modifiers) => {
    if (!('staysOpen' in item)) onClose()
    if ('action' in item) onAction(item.action)
    else if ('run' in item) item.run()
    else if (ctrlKey || metaKey) window.open(item.to, '_blank', 'noopener')
    else void navigate(item.to)
  }
}
