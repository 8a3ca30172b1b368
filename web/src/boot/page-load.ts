/** Focuses the heading after a link loaded this page, as screen readers expect. */
export function focusHeading() {
  const { activation } = Object(Reflect.get(window, 'navigation')) as Partial<Navigation>
  // Under no-referrer the address of `from` is withheld; an entry at all means this origin.
  if (activation?.navigationType !== 'push' || !activation.from || window.location.hash) return
  const heading = document.querySelector<HTMLElement>('main h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

/** Prefills fields from the query, as the form does once it runs. */
export function fillFromQuery() {
  const query = new URLSearchParams(window.location.search)
  for (const field of document.querySelectorAll<HTMLInputElement>('form[data-query] input')) {
    const isNamed = field.form?.dataset['query'] === field.name
    if (isNamed && field.value === '') field.value = query.get(field.name) ?? ''
  }
}
