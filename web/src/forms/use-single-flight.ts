import { useRef } from 'react'

/**
 * Ignores calls while one is pending. A ref: two clicks in one tick come before a disabled button renders. `keyOf` distinguishes
 * independent calls.
 */
export function useSingleFlight<Given extends unknown[]>(
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
