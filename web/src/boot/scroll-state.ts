const THRESHOLD_PX = 300
/** A heading counts as passed above this share of the window. */
const PASSED_SHARE = 1 / 3
const END_PX = 2

export function watchScroll() {
  update()
  window.addEventListener('scroll', update, { passive: true })
  window.addEventListener('resize', update)
}

function update() {
  showToTop(document.querySelector<HTMLElement>('.to-top'))
  for (const list of document.querySelectorAll<HTMLElement>('[data-sections]'))
    highlightSection(list)
}

/** Also a ref callback: React renders the button hidden. */
export function showToTop(button: HTMLElement | null) {
  if (button) button.hidden = window.scrollY <= THRESHOLD_PX
}

export function scrollToTop() {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  window.scrollTo({ top: 0, behavior: isCalm ? 'instant' : 'smooth' })
  document.querySelector<HTMLElement>('.brand')?.focus({ preventScroll: true })
}

export function highlightSection(list: HTMLElement | null) {
  if (!list) return
  const links = [...list.querySelectorAll<HTMLAnchorElement>('a')]
  const line = window.innerHeight * PASSED_SHARE
  const isAtEnd =
    window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - END_PX
  const passed = links.filter((link) => topOf(link) <= line)
  const current = (isAtEnd ? links : passed).at(-1) ?? links[0]
  for (const link of links)
    if (link === current) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
}

const topOf = ({ hash }: HTMLAnchorElement) =>
  document.getElementById(hash.slice(1))?.getBoundingClientRect().top ?? Infinity
