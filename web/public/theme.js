// Before the first paint, so that nobody sees the wrong theme. The rest of it is in src/theme.ts.
;(() => {
  let mode
  try {
    mode = localStorage.getItem('themeMode')
  } catch {
    // Blocked storage: as the system says.
  }
  const isDark =
    mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-bs-theme', isDark ? 'dark' : 'light')
})()
