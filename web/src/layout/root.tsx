import { useEffect, useEffectEvent, useRef, ViewTransition } from 'react'
import {
  Outlet,
  ScrollRestoration,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
} from 'react-router'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import type { Handle } from './crumb.ts'
import { ModalHost } from '#feedback/modals.tsx'
import { showToast, ToastHost } from '#feedback/toasts.tsx'
import { applyHead, NO_HEAD } from './head.ts'
import {
  definitionAt,
  firstSegment,
  isRecordAddress,
  retryDefinitions,
  useDefinitions,
} from '#data/definitions.ts'
import { offerSidebarSlot } from './sidebar-slot.ts'
import { Busy } from '#ui/status-screen.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { CookieDialog } from './cookie-dialog.tsx'
import { Footer } from './footer.tsx'
import { NavBar } from './nav-bar.tsx'
import { ScrollToTop } from './scroll-to-top.tsx'

/** The frame around every page. */
export function Root() {
  const { hasFailed, mistakes } = useDefinitions()
  const { pathname } = useLocation()
  const navigation = useNavigation()
  const isRecordPage = definitionAt(firstSegment(pathname)) !== undefined
  useToastPerMistake(mistakes)
  useRecovery(hasFailed, isRecordPage)
  useBodyClass(isRecordPage)
  useFocusOnHeading(pathname)
  useHead()
  return (
    <>
      <a className="skip" href="#main">
        {siteMessages.skipToContent}
      </a>
      <NavBar />
      {hasFailed && (
        <div className="wrap note danger routes-failed">
          <p role="alert">{specifiedMessages.routesFailed}</p>
          <button
            type="button"
            className="btn btn-secondary btn-sm"
            onClick={() => void retryDefinitions()}
          >
            {siteMessages.tryAgain}
          </button>
        </div>
      )}
      <div className="wrap-app">
        <div className="sidebar-slot" ref={offerSidebarSlot} />
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
      <Footer />
      <ScrollToTop />
      <ToastHost />
      <ModalHost />
      <CookieDialog />
      <ScrollRestoration />
    </>
  )
}

/** A definition that can't be used says so, once each. */
function useToastPerMistake(mistakes: string[]) {
  useEffect(() => {
    for (const mistake of mistakes)
      showToast({ message: mistake || specifiedMessages.unknownError, type: 'danger' })
  }, [mistakes])
}

/** Once the definitions are there after all, so is the record page that was asked for. */
function useRecovery(hasFailed: boolean, isRecordPage: boolean) {
  const navigate = useNavigate()
  const location = useLocation()
  const hadFailed = useRef(hasFailed)
  // A navigation, not a revalidation: an error boundary keeps its error through one that it does not see begin.
  const openAgain = useEffectEvent(
    () =>
      void navigate(location, { replace: true, state: location.state, preventScrollReset: true }),
  )
  useEffect(() => {
    if (hadFailed.current && !hasFailed && isRecordPage) openAgain()
    hadFailed.current = hasFailed
  }, [hasFailed, isRecordPage])
}

/** Record pages are denser than public ones. */
function useBodyClass(isRecordPage: boolean) {
  useEffect(() => {
    document.body.classList.toggle('app', isRecordPage)
  }, [isRecordPage])
}

/** What the deepest route that has a head says about itself; a record page sets its own title. */
function useHead() {
  const { handle, loaderData, params } =
    useMatches().findLast((match) => (match.handle as Handle | undefined)?.head) ?? {}
  const { head, needsNoData } = (handle ?? {}) as Handle
  const isReady = head && (head.length === 0 || needsNoData || loaderData !== undefined)
  const { title, description, canonical } = isReady
    ? head({ data: loaderData, params: params ?? {} })
    : NO_HEAD
  useEffect(() => {
    if (title) applyHead({ title, description, canonical })
  }, [title, description, canonical])
}

/** After a navigation a screen reader starts at the heading of the new page; the first page is left alone. */
function useFocusOnHeading(pathname: string) {
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    // A page that has put the focus somewhere itself knows better.
    if (document.activeElement?.closest('main .page')) return
    const heading = document.querySelector<HTMLElement>('main h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }, [pathname])
}
