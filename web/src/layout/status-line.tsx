import { shellMessages } from '#messages/shell.ts'
import { Copyright, FooterLinks, SocialLinks } from './footer.tsx'
import { paletteState } from './palette-state.ts'

/** The footer of staff pages. */
export const StatusLine = () => (
  <footer className="site-footer status-line">
    <div className="wrap">
      <StatusParts />
    </div>
  </footer>
)

/** On a phone also at the end of the menu. */
export const StatusParts = () => (
  <>
    <Copyright />
    <SocialLinks />
    <FooterLinks />
    <button
      type="button"
      className="btn btn-quiet btn-sm shortcuts"
      aria-haspopup="dialog"
      aria-keyshortcuts="?"
      onClick={() => paletteState.set('shortcuts')}
    >
      {shellMessages.shortcuts} <kbd aria-hidden="true">{shellMessages.shortcutsKey}</kbd>
    </button>
  </>
)
