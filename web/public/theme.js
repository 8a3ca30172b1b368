// Before the first paint, so that nobody sees the wrong theme. The rest of it is in src/theme.ts.
;(() => {
  const mode = localStorage.getItem('themeMode')
  const isDark =
    mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-bs-theme', isDark ? 'dark' : 'light')
})()
