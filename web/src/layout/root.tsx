import { useEffect, useEffectEvent, useLayoutEffect, useRef, ViewTransition } from 'react'
import {
  Outlet,
  ScrollRestoration,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  type UIMatch,
} from 'react-router'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import type { Handle } from './crumb.ts'
import { ModalHost } from '#feedback/modals.tsx'
import { showToast, ToastHost } from '#feedback/toasts.tsx'
import { applyHead, NO_HEAD } from './head.ts'
import { definitionAt, firstSegment, isRecordAddress, retryDefinitions } from '#data/definitions.ts'
import { isReadingData } from '#data/reading.ts'
import { useDefinitions } from './use-definitions.ts'
import { offerSidebarSlot } from './sidebar-slot.ts'
import { Busy } from '#ui/status-screen.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Footer } from './footer.tsx'
import { NavBar } from './nav-bar.tsx'
import { ScrollToTop } from './scroll-to-top.tsx'
import { StepUp } from './step-up.tsx'
import { useStaffShell } from './use-staff-shell.ts'

/** Id of the parent route of all model pages in records/routes.tsx. */
const MODEL_ROUTE = 'model'

export function Root() {
  const { hasFailed, mistakes } = useDefinitions()
  const { pathname } = useLocation()
  const navigation = useNavigation()
  const isReading = useMatches().some(({ loaderData }) => isReadingData(loaderData))
  const isRecordPage = !isReading && definitionAt(firstSegment(pathname)) !== undefined
  const staffShell = useStaffShell(pathname)
  const shell = isReading ? null : staffShell
  useToastPerMistake(mistakes)
  useRecovery(hasFailed)
  useBodyClass('app', isRecordPage)
  useBodyClass('workspace', shell !== null)
  useFocusOnHeading(pathname)
  useHead()
  return (
    <>
      <a className="skip" href="#main">
        {siteMessages.skipToContent}
      </a>
      {shell ? <shell.StaffBar /> : <NavBar />}
      {hasFailed && (
        <div className="wrap note danger routes-failed">
          <p role="alert">{specifiedMessages.routesFailed}</p>
          <button
            type="button"
            className="btn btn-secondary btn-sm"
            data-early="retry"
            onClick={() => void retryDefinitions()}
          >
            {siteMessages.tryAgain}
          </button>
        </div>
      )}
      <div className="wrap-app">
        {shell ? <shell.StaffRail /> : <div className="sidebar-slot" ref={offerSidebarSlot} />}
        <main id="main" className={isRecordPage ? 'work' : undefined}>
          <Breadcrumbs />
          {navigation.state === 'loading' && !isRecordPage && (
            <Busy
              text={
                isRecordAddress(navigation.location.pathname)
                  ? specifiedMessages.loadingRoute
                  : specifiedMessages.loadingView
              }
            />
          )}
          <ViewTransition key={pathname} default="none" enter="page">
            <div className="page">
              <Outlet />
            </div>
          </ViewTransition>
        </main>
      </div>
      {shell ? <shell.StatusLine /> : <Footer />}
      {shell && <shell.ShellCounts />}
      <ScrollToTop />
      <ToastHost />
      <ModalHost />
      <StepUp />
      <ScrollRestoration />
    </>
  )
}

function useToastPerMistake(mistakes: string[]) {
  useEffect(() => {
    for (const mistake of mistakes)
      showToast({ message: mistake || specifiedMessages.unknownError, type: 'danger' })
  }, [mistakes])
}

/** Reopens a record page once its failed definitions have loaded. */
function useRecovery(hasFailed: boolean) {
  const isLoaded = useMatches().some(
    ({ id, loaderData }) => id === MODEL_ROUTE && loaderData !== undefined,
  )
  const navigate = useNavigate()
  const location = useLocation()
  const hadFailed = useRef(hasFailed)
  // A navigation: an error boundary keeps its error through a revalidation.
  const openAgain = useEffectEvent(
    () =>
      void navigate(location, { replace: true, state: location.state, preventScrollReset: true }),
  )
  useEffect(() => {
    if (hadFailed.current && !hasFailed && isLoaded) openAgain()
    hadFailed.current = hasFailed
  }, [hasFailed, isLoaded])
}

/** For layouts: `app` is the denser one of record pages, `workspace` that of staff. */
function useBodyClass(name: string, isOn: boolean) {
  useLayoutEffect(() => {
    document.body.classList.toggle(name, isOn)
  }, [name, isOn])
}

/** The head of the deepest matched route that has the data for it; a record page sets its own title. */
function useHead() {
  const { handle, loaderData, params = {} } = useMatches().findLast(hasHead) ?? {}
  const { head } = (handle ?? {}) as Handle
  const { title, description, canonical } = head?.({ data: loaderData, params }) ?? NO_HEAD
  useEffect(() => {
    if (title) applyHead({ title, description, canonical })
  }, [title, description, canonical])
}

function hasHead({ handle, loaderData }: UIMatch) {
  const { head, needsNoData } = (handle ?? {}) as Handle
  return head && (head.length === 0 || needsNoData || loaderData !== undefined)
}

/** Moves the focus to the new page's heading for screen readers, except on first load. */
function useFocusOnHeading(pathname: string) {
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    // Skipped if the page has set the focus itself.
    if (document.activeElement?.closest('main .page')) return
    const heading = document.querySelector<HTMLElement>('main h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }, [pathname])
}
