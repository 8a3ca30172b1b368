import { trackPosition } from '#ui/overlay/position.ts'

const GAP_PX = 2

/** Places the phone menu and the grouped models: native popovers, which open without scripts. */
export function watchMenus() {
  const cleanups = new Map<HTMLElement, () => void>()
  document.addEventListener(
    'toggle',
    (event) => {
      const { target } = event
      if (!(target instanceof HTMLElement) || !target.matches('.dropdown-menu')) return
      cleanups.get(target)?.()
      cleanups.delete(target)
      const opener = openerOf(target)
      if (opener && Reflect.get(event, 'newState') === 'open')
        cleanups.set(target, trackPosition(opener, target, { gap: GAP_PX, align: 'start' }))
    },
    { capture: true },
  )
  document.addEventListener('keydown', moveByArrow)
  document.addEventListener('click', ({ target }) => {
    // The app follows links without a page load, which would have closed the menu.
    if (target instanceof Element && target.closest('[popover=auto] a'))
      target.closest<HTMLElement>('[popover=auto]')?.hidePopover()
  })
}

const openerOf = ({ id }: HTMLElement) =>
  document.querySelector<HTMLElement>(`[popovertarget="${id}"]`)

function moveByArrow(event: KeyboardEvent) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || !(event.target instanceof Element)) return
  const menu =
    event.target.closest<HTMLElement>('.dropdown-menu[popover=auto]') ??
    menuOf(event.target.closest('.nav-toggle[popovertarget]'))
  if (!menu) return
  event.preventDefault()
  if (!menu.matches(':popover-open')) menu.togglePopover(step > 0)
  const items = [...menu.querySelectorAll<HTMLElement>('a')]
  const at = items.findIndex((item) => item === document.activeElement)
  items[Math.max(0, at + step)]?.focus()
}

const menuOf = (opener: Element | null) =>
  opener && document.getElementById(opener.getAttribute('popovertarget') ?? '')
