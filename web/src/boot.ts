import { STORAGE_KEYS } from '@gatehouse/model'
import { fillFromQuery, focusHeading } from '#boot/page-load.ts'
import { promptConsent, promptLater, readConsentAnew } from '#boot/consent.ts'
import { loadSignIn, resetSignIn, signInEarly } from '#boot/login.ts'
import { watchMenus } from '#boot/menu.ts'
import { drawModels } from '#boot/model-menu.ts'
import { overlayOf, type Overlay } from '#boot/palette-keys.ts'
import {
  hasUnsavedInput,
  queuedClicks,
  holdClick,
  replayClicks,
  takeClicks,
  type Pressed,
} from '#boot/replay-clicks.ts'
import { scrollToTop, watchScroll } from '#boot/scroll-state.ts'
import { applyTheme, switchTheme, watchTheme } from '#boot/theme.ts'
import { hideFailure, hideLoading, showFailure, showLoading } from '#boot/loading-status.ts'
import { holdTyping, takeTyping } from '#boot/typed-ahead.ts'
import { hasStoredSignIn, hasStoredUser } from '#auth/session.ts'
import { allSignInDrafts } from '#base/sign-in-drafts.ts'
import { session } from '#base/storage.ts'
import { definitionsState, loadDefinitions, retryDefinitions } from '#data/definitions.ts'
import { isAboutSignIn, isDrawnOtherwise, readPageData } from '#boot/page-data.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { importPage, watchStyles } from '#ui/import-chunk.ts'
import '#styles/site.scss'

/**
 * Entry of public pages, which arrive fully rendered. Handles what needs no React; anything else loads the app, hydrates the page
 * and replays earlier clicks, submits and input: docs/decisions/48-documents-first.md.
 */
declare global {
  interface Window {
    /** Queued by public/theme.js until this script runs. */
    earlyPresses?: Set<HTMLButtonElement>
  }
}

const ONLY_THE_APP = 'button:not([data-boot], [popovertarget]), input, select, textarea, label'

/** Buttons handled here, even while the app runs. */
const BOOT_ACTIONS: Record<string, () => void> = {
  theme: switchTheme,
  cookies: promptConsent,
  top: scrollToTop,
  print,
}

const { dataset } = document.documentElement
const page = readPageData()
const startsAtOnce =
  !page ||
  isAboutSignIn(page) ||
  hasStoredSignIn() ||
  hasInstruction() ||
  hasDraft() ||
  isFormInUse()
let starting: Promise<void> | null = null
let stopDrawing = () => {}
/** Requested by key before the app ran. */
let overlay: Overlay | null = null

allSignInDrafts()
watchStyles()
watchTheme()
watchScroll()
watchMenus()
promptLater()
document.addEventListener('click', onClick, { capture: true })
document.addEventListener('submit', onSubmit, { capture: true })
document.addEventListener('keydown', clickOnSpace)
document.addEventListener('keydown', holdOverlay)
for (const type of ['pointerover', 'pointerdown', 'focusin'])
  document.addEventListener(type, onIntent, { capture: true, passive: true })
window.addEventListener('popstate', onHistory)
window.addEventListener('pageshow', restoreFromBfcache)

dataset['app'] = 'document'
if (startsAtOnce) start()
else {
  focusHeading()
  fillFromQuery()
  stopDrawing = drawModels()
  void loadDefinitions(page.fixed, page.product).then(() => {
    // The app reports errors in definitions.
    if (definitionsState.get().mistakes.length > 0 || isDrawnOtherwise(page)) start()
  })
}
for (const button of window.earlyPresses ?? []) {
  button.removeAttribute('aria-busy')
  button.click()
}
window.earlyPresses?.clear()

function onClick(event: MouseEvent) {
  const { target } = event
  const button = target instanceof Element ? target.closest('button') : null
  if (!button) return followLater(event)
  const own = BOOT_ACTIONS[button.dataset['boot'] ?? '']
  if (own) own()
  else if (!isBeforeApp() || !isOfApp(button) || button.type === 'submit') return
  else {
    event.preventDefault()
    event.stopImmediatePropagation()
    const early = button.dataset['early']
    if (early === 'retry') void retryDefinitions()
    else if (early === 'login' && !starting) void signInEarly(button, () => queueUntilApp(button))
    else queueUntilApp(button)
  }
}

/** While the app loads because of a form, it follows links too: the form's input survives. */
function followLater(event: MouseEvent) {
  const { target, ctrlKey, metaKey, shiftKey } = event
  const link =
    target instanceof Element ? target.closest<HTMLAnchorElement>('#root a[href^="/"]') : null
  if (!link || ctrlKey || metaKey || shiftKey || !isBeforeApp() || !starting || !hasUnsavedInput())
    return
  event.preventDefault()
  event.stopImmediatePropagation()
  queueUntilApp(link)
}

function onSubmit(event: SubmitEvent) {
  const { submitter } = event
  if (!isBeforeApp() || !(submitter instanceof HTMLButtonElement)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  queueUntilApp(submitter)
}

/** False while the app runs, and if it can't be loaded ("none"): then the browser submits forms. */
function isBeforeApp() {
  return dataset['app'] === 'document'
}

function isOfApp(button: HTMLButtonElement) {
  return button.closest('#root') !== null && !button.hasAttribute('popovertarget')
}

/** On hover, focus or click: loads the app before it is needed. */
function onIntent({ target }: Event) {
  if (!isBeforeApp() || starting || !(target instanceof Element) || !target.closest('#root')) return
  const control = target.closest<HTMLElement>(ONLY_THE_APP)
  if (control?.dataset['early'] === 'login') void loadSignIn().catch(() => {})
  else if (control && control.dataset['early'] === undefined) start()
}

/** The palette and the shortcut sheet need the app. */
function holdOverlay(event: KeyboardEvent) {
  const asked = isBeforeApp() ? overlayOf(event) : null
  if (!asked) return
  event.preventDefault()
  overlay = asked
  if (asked === 'search') holdTyping(() => (overlay = null))
  showLoading()
  start()
}

function queueUntilApp(button: Pressed) {
  holdClick(button)
  showLoading()
  start()
}

function start() {
  starting ??= startApp().catch(() => {
    starting = null
    onLoadFailed()
  })
}

async function startApp() {
  // Loads the page's own script in parallel with the app's.
  for (const href of page?.scripts ?? [])
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
    )
  const { openOverlay, start: startMain } = await importPage(() => import('./main.tsx'))
  await startMain({
    hasDefinitions: !startsAtOnce && !hasStoredUser(),
    onHydrate: stopDrawing,
    onSettled: () => {
      dataset['app'] = 'running'
      hideLoading()
      hideFailure()
      replayClicks()
      if (overlay) openOverlay(overlay)
    },
  })
}

/** If the app fails to load, submit forms natively; otherwise show an error. */
function onLoadFailed() {
  hideLoading()
  takeTyping()
  const plain = queuedClicks().find((one) => 'form' in one && one.form?.action.includes('/api/'))
  if (plain) {
    takeClicks()
    dataset['app'] = 'none'
    plain.click()
  } else if (startsAtOnce || overlay || queuedClicks().length > 0)
    showFailure(() => {
      showLoading()
      start()
    })
}

/** A draft typed signed out, before a reload or on another page, which the form restores. */
function hasDraft() {
  const keys = [STORAGE_KEYS.contactDraft, STORAGE_KEYS.inquiryDraft]
  return (
    document.querySelector('main form') !== null &&
    keys.some((key) => session.get(key.replace('*', '')) !== null)
  )
}

/** Before this script ran: only the app stores a draft. */
function isFormInUse() {
  return hasUnsavedInput() || document.activeElement?.closest('main form') != null
}

function hasInstruction() {
  const query = new URLSearchParams(window.location.search)
  const state = Object(Reflect.get(Object(window.history.state), 'usr')) as object
  return ['toast', 'modal'].some((name) => query.has(name) || name in state)
}

/** Handles Back to an entry that the app pushed before a reload; a fragment stays on this page. */
function onHistory() {
  if (window.location.pathname !== page?.path || hasInstruction()) start()
}

/** Links styled as buttons react to Space. */
function clickOnSpace(event: KeyboardEvent) {
  const { target, key } = event
  if (key !== ' ' || !(target instanceof HTMLAnchorElement) || target.role !== 'button') return
  event.preventDefault()
  target.click()
}

/** From the back/forward cache: theme, consent and sign-in may have changed since. */
function restoreFromBfcache({ persisted }: PageTransitionEvent) {
  if (!persisted) return
  applyTheme()
  readConsentAnew()
  if (isBeforeApp()) {
    resetSignIn()
    if (hasStoredSignIn()) {
      dataset['signIn'] = ''
      for (const empty of document.querySelectorAll('.pending'))
        empty.textContent = specifiedMessages.loading
      start()
    }
  } else if (dataset['app'] === 'running' && hasStoredUser() !== isSignedIn())
    window.location.reload()
}

function isSignedIn() {
  return document.querySelector('[data-early="login"]') === null
}
