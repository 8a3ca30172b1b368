const REMIND_MS = 10_000

export type Step = (title: string, run: () => Promise<void>, note?: string) => Promise<void>

/** One line per finished step; after a while without one, a line says what is pending. */
export function showProgress(): { step: Step; end: () => void } {
  const pending = new Set<string>()
  const remind = () => console.log(`  waiting for ${[...pending].join(', ')}…`)
  let timer = setInterval(remind, REMIND_MS)
  return {
    step: async (title, run, note = '') => {
      const started = Date.now()
      pending.add(title)
      await run()
      pending.delete(title)
      clearInterval(timer)
      timer = setInterval(remind, REMIND_MS)
      const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(6)
      console.log(`${title.padEnd(14)} ${seconds} s  ${note}`.trimEnd())
    },
    end: () => clearInterval(timer),
  }
}
