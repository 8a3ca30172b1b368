import { STORAGE_KEYS } from '@gatehouse/model'
import { local, session } from '#base/storage.ts'
import { send } from '#data/send.ts'

export type Choice = 'essential' | 'all'

const KEY = STORAGE_KEYS.consent
/** Esc stores no choice, but the next page must not ask again. A reload does. */
const PUT_OFF_KEY = STORAGE_KEYS.consentPutOff
const LASTING_KEY = STORAGE_KEYS.consentKept
const CHOICE_TTL_MS = 365 * 24 * 3600 * 1000
const PROMPT_DELAY_MS = 1500
const TOAST_MS = 4000
const RETRY_MS = 500

let dialog: HTMLElement | null = null
let focusedBefore: Element | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let app: App | null = null

/** Set once the app runs: it shows the toast, and follows links without a page load. */
type App = { announce: (choice: Choice) => void; follow: (href: string) => void }
export const handConsentOver = (running: App) => void (app = running)

export function promptLater() {
  if (navigationEntry()?.type === 'reload') session.remove(PUT_OFF_KEY)
  if (document.readyState === 'complete') schedule()
  else window.addEventListener('load', schedule, { once: true })
}

/** For the back/forward cache: another page may have stored a choice since. */
export function readConsentAnew() {
  if (isAnswered()) closeDialog()
  else if (!dialog) schedule()
}

function schedule() {
  clearTimeout(timer)
  if (isAnswered()) return
  timer = setTimeout(
    () => {
      if (!dialog && !isAnswered()) open()
    },
    Math.max(0, PROMPT_DELAY_MS - sinceLoad()),
  )
}

const isAnswered = () =>
  readChoice() !== null || session.get(PUT_OFF_KEY) !== null || settings()?.['prompt'] === 'never'

/** Measured from page load, not from the start of this script. */
function sinceLoad() {
  const start = navigationEntry()?.loadEventStart
  return start ? performance.now() - start : 0
}

const navigationEntry = () =>
  performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined

/** Opened by "Cookie settings": takes the focus. */
export function promptConsent() {
  const opener = document.activeElement
  if (!dialog) open()
  focusedBefore = opener
  dialog?.focus()
}

/** Returns the focus to where it was, so that it is not lost with the dialog. */
function closeDialog() {
  if (!dialog) return
  const hadFocus = dialog.contains(document.activeElement)
  dialog.remove()
  dialog = null
  document.removeEventListener('keydown', onKey)
  if (hadFocus)
    focusOn(focusedBefore?.isConnected ? focusedBefore : document.getElementById('main'))
  focusedBefore = null
}

function focusOn(element: Element | null) {
  if (!(element instanceof HTMLElement)) return
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/** Shows a copy of the document's <template>: not modal, and outside the app. */
function open() {
  const shown = copyOf('cookie-question')
  const analytics = shown?.querySelector<HTMLInputElement>('#cookie-analytics')
  if (!shown || !analytics) return
  dialog = shown
  focusedBefore = null
  const choice = readChoice()
  analytics.checked = choice ? choice === 'all' : analytics.checked && !hasPrivacyControl()
  explain(shown, analytics)
  analytics.addEventListener('change', () => explain(shown, analytics))
  shown.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget instanceof Element && !shown.contains(relatedTarget))
      focusedBefore ??= relatedTarget
  })
  shown.addEventListener('click', (event) => onClick(event, analytics))
  document.addEventListener('keydown', onKey)
  document.body.append(shown)
}

function explain(shown: HTMLElement, analytics: HTMLInputElement) {
  analytics.setAttribute('aria-checked', String(analytics.checked))
  const current = analytics.checked ? 'on' : hasPrivacyControl() ? 'control' : 'off'
  const help = shown.querySelector<HTMLElement>('#cookie-help')
  if (help) help.textContent = help.dataset[current] ?? ''
}

function onClick(event: MouseEvent, analytics: HTMLInputElement) {
  const { target, currentTarget } = event
  if (!(target instanceof Element) || !(currentTarget instanceof HTMLElement)) return
  const link = target.closest('a')
  if (link && app && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault()
    app.follow(link.getAttribute('href') ?? '/')
  }
  const choice = target.closest<HTMLElement>('[data-choice]')?.dataset['choice']
  // Two clicks in one tick count once.
  if ((choice !== 'essential' && choice !== 'all') || !currentTarget.isConnected) return
  // The proof must not say "all" with the switch off.
  if (choice === 'all') analytics.checked = true
  session.set(KEY, choice)
  if (isLasting()) local.set(LASTING_KEY, `${choice} ${Date.now() + CHOICE_TTL_MS}`)
  const { version, hash } = currentTarget.dataset
  closeDialog()
  void sendProof({
    choice,
    switchState: analytics.checked,
    noticeVersion: version,
    dialogHash: hash,
  })
  if (app) app.announce(choice)
  else showToast(choice)
}

function onKey({ key, defaultPrevented }: KeyboardEvent) {
  // A dialog or menu above handles Escape.
  if (key !== 'Escape' || defaultPrevented || document.querySelector(ABOVE)) return
  if (!readChoice()) session.set(PUT_OFF_KEY, '1')
  closeDialog()
}
const ABOVE = 'dialog[open], .side-menu:popover-open, .dropdown-menu:popover-open'

/** Null without a valid choice, which means essential. */
function readChoice(): Choice | null {
  const kept = readLastingChoice()
  if (kept) session.set(KEY, kept)
  return toChoice(session.get(KEY))
}

/** Newer than the tab's, if another tab changed it. Removed once expired or the setting is gone. */
function readLastingChoice() {
  const [choice, until] = local.get(LASTING_KEY)?.split(' ') ?? []
  if (isLasting() && Number(until) > Date.now()) return toChoice(choice)
  if (choice !== undefined) local.remove(LASTING_KEY)
  return null
}

const toChoice = (text: string | null | undefined) =>
  text === 'essential' || text === 'all' ? text : null

/** The site's, in attributes of the dialog. */
const settings = () => templateOf('cookie-question')?.dataset
const isLasting = () => settings()?.['keep'] === 'browser'

/** Global Privacy Control turns the switch off by default. */
const hasPrivacyControl = () => Reflect.get(navigator, 'globalPrivacyControl') === true

/** Stores anonymous proof of consent on the server. Failures are not shown to the visitor. */
const sendProof = (proof: object) =>
  send('privacy/choices', {
    method: 'POST',
    isAnonymous: true,
    body: { choiceId: crypto.randomUUID(), ...proof, gpc: hasPrivacyControl() },
  }).catch(() => null)

/** Until the app runs: a copy of the toast it would render. */
function showToast(choice: Choice) {
  const toast = copyOf(`toast-${choice}`)
  if (!toast) return
  const host = document.createElement('div')
  host.className = 'toasts'
  host.popover = 'manual'
  host.append(toast)
  toast.querySelector<HTMLElement>('.t')?.style.setProperty('animation-duration', `${TOAST_MS}ms`)
  toast.querySelector('button')?.addEventListener('click', () => host.remove())
  const hide = () =>
    toast.matches(':hover, :focus-within') ? void setTimeout(hide, RETRY_MS) : host.remove()
  setTimeout(hide, TOAST_MS)
  document.body.append(host)
  host.showPopover()
}

const copyOf = (id: string) => (templateOf(id)?.cloneNode(true) ?? null) as HTMLElement | null

function templateOf(id: string) {
  const template = document.getElementById(id)
  return template instanceof HTMLTemplateElement
    ? (template.content.firstElementChild as HTMLElement | null)
    : null
}
