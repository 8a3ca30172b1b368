// Runs before the first paint: sets the theme (see src/boot/theme.ts), shows Loading in the header if signed in (src/layout/nav-
// bar.tsx) and queues clicks until src/boot.ts runs.
;(() => {
  const { dataset } = document.documentElement
  const presses = (self.earlyPresses = new Set())
  // A page without the app has "none" in its markup.
  dataset.app ??= 'loading'

  const queueClick = (event) => {
    const button =
      event.submitter ?? event.target.closest('button:not([type=submit],[popovertarget])')
    if (!button || dataset.app !== 'loading') return
    event.preventDefault()
    event.stopImmediatePropagation()
    button.ariaBusy = 'true'
    presses.add(button)
  }
  for (const type of ['click', 'submit']) addEventListener(type, queueClick, true)

  // If the script can't be loaded or started, submit queued forms natively.
  const submitNatively = ({ target }) => {
    if ((target !== window && target.type !== 'module') || dataset.app !== 'loading') return
    dataset.app = 'none'
    for (const button of presses) {
      button.ariaBusy = null
      if (button.form?.action.includes('/api/')) button.click()
    }
  }
  addEventListener('error', submitNatively, true)

  let mode
  try {
    mode = localStorage.getItem('themeMode')
    if (/oidc\./.test(Object.keys(sessionStorage))) {
      dataset.signIn = ''
      // Not in the markup: without scripts it would stay there for ever.
      const parsing = new MutationObserver(() => {
        for (const empty of document.querySelectorAll('.pending:empty')) empty.append('Loading')
      })
      parsing.observe(document, { childList: true, subtree: true })
      addEventListener('load', () => parsing.disconnect())
    }
  } catch {
    // Storage is blocked: system theme, signed out.
  }
  if (mode !== 'dark' && mode !== 'light') mode = 'system'
  const isDark =
    mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  dataset.bsTheme = isDark ? 'dark' : 'light'
  dataset.themeMode = mode
})()
