import { useEffect, useEffectEvent, type RefObject } from 'react'

/** Ctrl+S, or Cmd+S on a Mac, saves the topmost form. */
export function useSaveShortcut(form: RefObject<HTMLFormElement | null>, save: () => void) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return
    event.preventDefault()
    const dialogs = [...document.querySelectorAll('dialog[open]')]
    if (dialogs.every((dialog) => dialog.contains(form.current))) save()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
