import { STORAGE_KEYS } from '@gatehouse/model'
import { session } from '#base/storage.ts'
import { buildStore } from '#base/store.ts'

export type Choice = 'essential' | 'all'

const KEY = STORAGE_KEYS.consent
const PROMPT_DELAY_MS = 1500

/** Is the question being asked? `byHand`: someone pressed "Cookie settings", and wants the focus there. */
const asking = buildStore<{ how: 'no' | 'prompted' | 'byHand' }>({ how: 'no' })

export const useAsking = asking.use

/** Asks 1.5 s after load, unless this tab has an answer; `prepare` fetches the question until then. Returns what stops it. */
export function promptLater(prepare: () => void) {
  if (readChoice()) return () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = () => {
    prepare()
    timer = setTimeout(prompt, PROMPT_DELAY_MS - sinceLoad())
  }
  if (document.readyState === 'complete') schedule()
  else window.addEventListener('load', schedule)
  return () => {
    window.removeEventListener('load', schedule)
    clearTimeout(timer)
  }
}

function prompt() {
  if (asking.get().how === 'no' && !readChoice()) asking.set({ how: 'prompted' })
}

/** The app may start long after the page has loaded. */
function sinceLoad() {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page?.loadEventStart ? performance.now() - page.loadEventStart : 0
}

export const askConsent = () => asking.set({ how: 'byHand' })
export const stopAsking = () => asking.set({ how: 'no' })

/** Absence means essential. */
export const readChoice = (): Choice | null => {
  const stored = session.get(KEY)
  return stored === 'essential' || stored === 'all' ? stored : null
}

/** The browser asks sites not to share data: the switch then starts off. */
export const hasPrivacyControl = () => Reflect.get(navigator, 'globalPrivacyControl') === true

/** Keeps the answer in this tab. */
export function storeChoice(choice: Choice) {
  session.set(KEY, choice)
  stopAsking()
}
