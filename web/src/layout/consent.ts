import { STORAGE_KEYS } from '@gatehouse/model'
import { session } from '#base/storage.ts'
import { buildStore } from '#base/store.ts'

export type Choice = 'essential' | 'all'

const KEY = STORAGE_KEYS.consent
const PROMPT_DELAY_MS = 1500

/** Whether the dialog is open. `byHand`: opened by "Cookie settings", so it takes the focus. */
const asking = buildStore<{ how: 'no' | 'prompted' | 'byHand' }>({ how: 'no' })

export const useAsking = asking.use

/** Asks 1.5 s after load unless this tab has an answer; `prepare` preloads the dialog. Returns a cancel function. */
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

/** Measured from page load, not from app start. */
function sinceLoad() {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page?.loadEventStart ? performance.now() - page.loadEventStart : 0
}

export const askConsent = () => asking.set({ how: 'byHand' })
export const stopAsking = () => asking.set({ how: 'no' })

/** No stored choice means essential. */
export const readChoice = (): Choice | null => {
  const stored = session.get(KEY)
  return stored === 'essential' || stored === 'all' ? stored : null
}

/** Global Privacy Control: the switch starts off. */
export const hasPrivacyControl = () => Reflect.get(navigator, 'globalPrivacyControl') === true

export function storeChoice(choice: Choice) {
  session.set(KEY, choice)
  stopAsking()
}
