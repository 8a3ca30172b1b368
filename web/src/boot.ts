import { STORAGE_KEYS } from '@gatehouse/model'
import { fillFromQuery, focusHeading } from '#boot/page-load.ts'
import { promptConsent, promptLater, readConsentAnew } from '#boot/consent.ts'
import { loadSignIn, resetSignIn, signInEarly } from '#boot/login.ts'
import { watchMenus } from '#boot/menu.ts'
import { drawModels } from '#boot/model-menu.ts'
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
import { hasStoredSignIn, hasStoredUser } from '#auth/session.ts'
import { allSignInDrafts } from '#base/sign-in-drafts.ts'
import { session } from '#base/storage.ts'
import { definitionsState, loadDefinitions, retryDefinitions } from '#data/definitions.ts'
import { isAboutSignIn, readPageData } from '#boot/page-data.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { importPage, watchStyles } from '#ui/import-chunk.ts'
import '#styles/site.scss'

/**
 * The only module of a public page, which is whole as it comes. Does what needs no React; everything else fetches the app and
 * hydrates the page, and what was pressed, sent or typed before is repeated: docs/decisions/48-documents-first.md.
 */
declare global {
  interface Window {
    /** Queued by public/theme.js until this script runs. */
    earlyPresses?: Set<HTMLButtonElement>
  }
}

const ONLY_THE_APP = 'button:not([data-boot], [popovertarget]), input, select, textarea, label'

/** What the document's buttons do, also while the app runs. */
const OWN: Record<string, () => void> = {
  theme: switchTheme,
  cookies: promptConsent,
  top: scrollToTop,
}

const { dataset } = document.documentElement
const page = readPageData()
const startsAtOnce =
  !page || isAboutSignIn(page) || hasStoredSignIn() || hasInstruction() || hasDraft()
let starting: Promise<void> | null = null
let stopDrawing = () => {}

allSignInDrafts()
watchStyles()
watchTheme()
watchScroll()
watchMenus()
promptLater()
document.addEventListener('click', onClick, { capture: true })
document.addEventListener('submit', onSubmit, { capture: true })
document.addEventListener('keydown', pressBySpace)
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
    // The app shows what is wrong with a definition.
    if (definitionsState.get().mistakes.length > 0) start()
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
  const own = OWN[button.dataset['boot'] ?? '']
  if (own) own()
  else if (!isUpToUs() || !isOfApp(button) || button.type === 'submit') return
  else {
    event.preventDefault()
    event.stopImmediatePropagation()
    const early = button.dataset['early']
    if (early === 'retry') void retryDefinitions()
    else if (early === 'login' && !starting) void signInEarly(button, () => wait(button))
    else wait(button)
  }
}

/** The app is on its way because of a form: it takes what was typed there along to the next page. */
function followLater(event: MouseEvent) {
  const { target, ctrlKey, metaKey, shiftKey } = event
  const link =
    target instanceof Element ? target.closest<HTMLAnchorElement>('#root a[href^="/"]') : null
  if (!link || ctrlKey || metaKey || shiftKey || !isUpToUs() || !starting || !hasUnsavedInput())
    return
  event.preventDefault()
  event.stopImmediatePropagation()
  wait(link)
}

function onSubmit(event: SubmitEvent) {
  const { submitter } = event
  if (!isUpToUs() || !(submitter instanceof HTMLButtonElement)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  wait(submitter)
}

/** Not while the app runs; and a page that can't load it ("none") leaves its forms to the browser. */
function isUpToUs() {
  return dataset['app'] === 'document'
}

function isOfApp(button: HTMLButtonElement) {
  return button.closest('#root') !== null && !button.hasAttribute('popovertarget')
}

/** Hover, focus or press: whatever only the app can do is fetched before it is needed. */
function onIntent({ target }: Event) {
  if (!isUpToUs() || starting || !(target instanceof Element) || !target.closest('#root')) return
  const wanted = target.closest<HTMLElement>(ONLY_THE_APP)
  if (wanted?.dataset['early'] === 'login') void loadSignIn().catch(() => {})
  else if (wanted && wanted.dataset['early'] === undefined) start()
}

function wait(button: Pressed) {
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
  // The page's own script beside the app's, not after it.
  for (const href of page?.scripts ?? [])
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
    )
  const { start: startMain } = await importPage(() => import('./main.tsx'))
  await startMain({
    hasDefinitions: !startsAtOnce && !hasStoredUser(),
    onHydrate: stopDrawing,
    onSettled: () => {
      dataset['app'] = 'running'
      hideLoading()
      hideFailure()
      replayClicks()
    },
  })
}

/** A form that works without the app is sent without it; of everything else the visitor is told, if they wait for it. */
function onLoadFailed() {
  hideLoading()
  const plain = queuedClicks().find((one) => 'form' in one && one.form?.action.includes('/api/'))
  if (plain) {
    takeClicks()
    dataset['app'] = 'none'
    plain.click()
  } else if (startsAtOnce || queuedClicks().length > 0)
    showFailure(() => {
      showLoading()
      start()
    })
}

/** Typed signed out, before a reload or on another page: the form shows it again. */
function hasDraft() {
  const keys = [STORAGE_KEYS.contactDraft, STORAGE_KEYS.inquiryDraft]
  return (
    document.querySelector('main form') !== null &&
    keys.some((key) => session.get(key.replace('*', '')) !== null)
  )
}

/** A toast or modal in the address, or in navigation state. */
function hasInstruction() {
  const query = new URLSearchParams(window.location.search)
  const state = Object(Reflect.get(Object(window.history.state), 'usr')) as object
  return ['toast', 'modal'].some((name) => query.has(name) || name in state)
}

/** Back to an entry that the app pushed before a reload. A fragment is no other page. */
function onHistory() {
  if (window.location.pathname !== page?.path || hasInstruction()) start()
}

/** Links that are drawn as buttons react to Space as buttons do. */
function pressBySpace(event: KeyboardEvent) {
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
  if (isUpToUs()) {
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
