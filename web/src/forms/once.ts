import { useRef } from 'react'

/**
 * What is under way is not begun again. Two presses in one tick come before any button is disabled, so what was rendered
 * can't tell. Where a page has several of a kind, `keyOf` tells them apart.
 */
export function useOnce<Given extends unknown[]>(
  run: (...given: Given) => Promise<unknown>,
  keyOf: (...given: Given) => string = () => '',
) {
  const running = useRef(new Set<string>())
  return async (...given: Given) => {
    const key = keyOf(...given)
    if (running.current.has(key)) return
    running.current.add(key)
    try {
      await run(...given)
    } finally {
      running.current.delete(key)
    }
  }
}
