import { useEffect, useState, type KeyboardEvent, type MouseEvent } from 'react'

type Modifiers = { ctrlKey: boolean; metaKey: boolean }
export type ComboboxOption = { key: string; run: (event: Modifiers) => void }

type Params = {
  /** The input's id; those of the list and its options begin with it. */
  id: string
  options: ComboboxOption[]
  isOpen: boolean
  /** An arrow key while closed. */
  onOpen?: () => void
  /** Escape while open. Without it, Escape is left to the dialog around. */
  onClose?: () => void
  /** The first option is active from the start, and Home and End move among the options. */
  isAlwaysActive?: boolean
}

/** Keyboard and ARIA of a combobox: the focus remains in the input, Enter runs the active option. */
export function useCombobox({ id, options, isOpen, isAlwaysActive = false, ...on }: Params) {
  const [moved, setMoved] = useState<{ key: string; index: number } | null>(null)
  const active = moved ? placeOf(options, moved) : isAlwaysActive ? 0 : -1
  const current = options[active]
  const listId = `${id}-choices`
  const idOf = (index: number) => `${id}-choice-${index}`
  useEffect(() => {
    if (active >= 0)
      document.getElementById(`${id}-choice-${active}`)?.scrollIntoView?.({ block: 'nearest' })
  }, [active, id])

  function moveTo(index: number) {
    const option = options[index]
    if (option) setMoved({ key: option.key, index })
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter ends a composition, arrows move in its candidates.
    if (event.nativeEvent.isComposing) return
    const last = options.length - 1
    const targets: Record<string, number> = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      ...(isAlwaysActive ? { Home: 0, End: last } : {}),
    }
    const target = targets[event.key]
    if (target !== undefined) {
      event.preventDefault()
      if (isOpen) moveTo(target)
      else on.onOpen?.()
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      current?.run(event)
    } else if (event.key === 'Escape' && isOpen && on.onClose) {
      // Escape closes only the list, not a drawer around it.
      event.preventDefault()
      event.stopPropagation()
      on.onClose()
    }
  }

  return {
    active,
    listId,
    /** An option was chosen by key, so that a late result must not replace it. */
    hasMoved: moved !== null,
    reset: () => setMoved(null),
    inputProps: {
      type: 'text',
      role: 'combobox',
      'aria-expanded': isOpen,
      'aria-controls': listId,
      'aria-autocomplete': 'list',
      'aria-activedescendant': isOpen && current ? idOf(active) : undefined,
      autoComplete: 'off',
      spellCheck: false,
      onKeyDown,
    } as const,
    optionProps: (index: number) => ({
      id: idOf(index),
      role: 'option',
      tabIndex: -1,
      // Keeps the focus in the input.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onClick: (event: MouseEvent) => options[index]?.run(event),
    }),
  }
}

/** By key, as results may arrive above it; the place of an option that is gone, such as "Load more", goes to its successor. */
function placeOf(options: ComboboxOption[], { key, index }: { key: string; index: number }) {
  const found = options.findIndex((option) => option.key === key)
  return found >= 0 ? found : index < options.length ? index : -1
}
