import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { texts } from '#content/texts.ts'
import { ModalHost } from '#feedback/modals.tsx'
import { showToast, ToastHost } from '#feedback/toasts.tsx'
import { definitionAt, firstSegment, isRecordAddress, useDefinitions } from '#models.ts'
import { Busy } from '#ui/status-screen.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
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
  useBodyClass(isRecordPage)
  useFocusOnHeading(pathname)
  return (
    <>
      <a className="skip" href="#main">
        {texts.skipToContent}
      </a>
      <NavBar />
      {hasFailed && (
        <p className="wrap note danger routes-failed" role="alert">
          {texts.routesFailed}
        </p>
      )}
      <main id="main" className={isRecordPage ? 'work' : undefined}>
        <Breadcrumbs />
        {navigation.state === 'loading' && (
          <Busy
            text={
              isRecordAddress(navigation.location.pathname) ? texts.loadingRoute : texts.loadingView
            }
          />
        )}
        <div key={pathname} className="enter">
          <Outlet />
        </div>
      </main>
      <Footer />
      <ScrollToTop />
      <ToastHost />
      <ModalHost />
      <ScrollRestoration />
    </>
  )
}

/** A definition that can't be used says so, once each. */
function useToastPerMistake(mistakes: string[]) {
  useEffect(() => {
    for (const mistake of mistakes)
      showToast({ message: mistake || texts.unknownError, type: 'danger' })
  }, [mistakes])
}

/** Record pages are denser than public ones. */
function useBodyClass(isRecordPage: boolean) {
  useEffect(() => {
    document.body.classList.toggle('app', isRecordPage)
  }, [isRecordPage])
}

/** After a navigation a screen reader starts at the heading of the new page; the first page is left alone. */
function useFocusOnHeading(pathname: string) {
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    // A page that has put the focus somewhere itself knows better.
    if (document.activeElement?.closest('main .enter')) return
    const heading = document.querySelector<HTMLElement>('main h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }, [pathname])
}
