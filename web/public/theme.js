// Runs before the first paint: sets the theme (see src/boot/theme.ts), has the header say Loading to whoever is signed in
// (src/layout/nav-bar.tsx) and queues presses until src/boot.ts runs.
;(() => {
  const { dataset } = document.documentElement
  const presses = (self.earlyPresses = new Set())
  // A page without the app says "none" itself.
  dataset.app ??= 'loading'

  const hold = (event) => {
    const button =
      event.submitter ?? event.target.closest('button:not([type=submit],[popovertarget])')
    if (!button || dataset.app !== 'loading') return
    event.preventDefault()
    event.stopImmediatePropagation()
    button.ariaBusy = 'true'
    presses.add(button)
  }
  for (const type of ['click', 'submit']) addEventListener(type, hold, true)

  // The script can't be loaded or started: a form that works without it is sent without it.
  const giveUp = ({ target }) => {
    if ((target !== window && target.type !== 'module') || dataset.app !== 'loading') return
    dataset.app = 'none'
    for (const button of presses) {
      button.ariaBusy = null
      if (button.form?.action.includes('/api/')) button.click()
    }
  }
  addEventListener('error', giveUp, true)

  let mode
  try {
    mode = localStorage.getItem('themeMode')
    if (/oidc\./.test(Object.keys(sessionStorage))) {
      dataset.signIn = ''
      // The word is not in the document, which nothing would take it out of without scripts.
      const parsing = new MutationObserver(() => {
        for (const empty of document.querySelectorAll('.pending:empty')) empty.append('Loading')
      })
      parsing.observe(document, { childList: true, subtree: true })
      addEventListener('load', () => parsing.disconnect())
    }
  } catch {
    // Blocked storage: the system's theme, and nobody is signed in.
  }
  if (mode !== 'dark' && mode !== 'light') mode = 'system'
  const isDark =
    mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  dataset.bsTheme = isDark ? 'dark' : 'light'
  dataset.themeMode = mode
})()
