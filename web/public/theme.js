// Runs before the first paint: sets the theme (see src/boot/theme.ts), has the header say Loading to whoever is signed in
// (src/layout/nav-bar.tsx) and queues presses until src/boot.ts runs.
;(() => {
  const { dataset } = document.documentElement
  const presses = (window.earlyPresses = new Set())
  // A page without the app says "none" itself.
  dataset.app ??= 'loading'

  const hold = (event) => {
    const button =
      event.submitter ?? event.target.closest('button:not([type=submit], [popovertarget])')
    if (!button || dataset.app !== 'loading') return
    event.preventDefault()
    event.stopImmediatePropagation()
    button.setAttribute('aria-busy', 'true')
    presses.add(button)
  }
  addEventListener('click', hold, true)
  addEventListener('submit', hold, true)

  // The script can't be loaded or started: a form that works without it is sent without it.
  const giveUp = ({ target }) => {
    if ((target !== window && target.type !== 'module') || dataset.app !== 'loading') return
    dataset.app = 'none'
    for (const button of presses) {
      button.removeAttribute('aria-busy')
      if (button.form?.action.includes('/api/')) button.click()
    }
  }
  addEventListener('error', giveUp, true)

  let mode
  try {
    mode = localStorage.getItem('themeMode')
  } catch {
    // Blocked storage: the system's theme.
  }
  try {
    if (Object.keys(sessionStorage).some((key) => key.startsWith('oidc.')))
      dataset.signIn = 'stored'
  } catch {
    // Blocked storage: nobody is signed in.
  }
  if (mode !== 'dark' && mode !== 'light') mode = 'system'
  const isDark =
    mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  dataset.bsTheme = isDark ? 'dark' : 'light'
  dataset.themeMode = mode
})()
