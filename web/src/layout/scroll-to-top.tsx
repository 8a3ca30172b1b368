import { showToTop } from '#boot/scroll-state.ts'
import { siteMessages } from '#messages/site.ts'
import { Icon } from '#ui/icon.tsx'

/** Shown and handled by boot/scroll-state.ts. */
export const ScrollToTop = () => (
  <button
    type="button"
    className="to-top"
    aria-label={siteMessages.toTop}
    data-boot="top"
    hidden
    ref={showToTop}
    suppressHydrationWarning
  >
    <Icon name="arrow-up" />
  </button>
)
