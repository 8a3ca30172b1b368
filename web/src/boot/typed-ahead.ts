let typed: string | null = null
let cancel = () => {}

/** Holds what is typed after the palette's key until its input exists; otherwise it would go to the page. */
export function holdTyping(onCancel: () => void) {
  cancel = onCancel
  if (typed !== null) return
  typed = ''
  document.addEventListener('keydown', collect, { capture: true })
}

export function takeTyping() {
  const taken = typed ?? ''
  typed = null
  document.removeEventListener('keydown', collect, { capture: true })
  return taken
}

function collect(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, altKey } = event
  if (ctrlKey || metaKey || altKey) return
  if (key.length === 1) typed += key
  else if (key === 'Backspace') typed = (typed ?? '').slice(0, -1)
  else if (key === 'Escape') {
    takeTyping()
    cancel()
  } else return
  event.preventDefault()
  event.stopImmediatePropagation()
}
