import { useEffect, useState } from 'react'

/** The current section: the last whose heading has passed the upper third of the window. */
export function useSectionInView(ids: readonly string[]) {
  const [current, setCurrent] = useState<string | null>(null)
  useEffect(() => {
    const look = () => {
      const line = window.innerHeight / 3
      const isAtEnd =
        window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2
      const passed = ids.filter(
        (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= line,
      )
      setCurrent((isAtEnd ? ids.at(-1) : passed.at(-1)) ?? ids[0] ?? null)
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  }, [ids])
  return current
}
