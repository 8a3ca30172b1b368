import { definitionsState } from '#data/definitions.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { modelLinks, PLAIN_LINKS_MAX, type ModelLink, type ModelLinks } from './model-links.ts'

export const RECORDS_MENU_ID = 'records-menu'

/**
 * Draws the model links, or the line that they failed to load, until the app runs: the same elements as layout/nav-bar.tsx and
 * layout/root.tsx, so that hydration matches. Returns a function that stops it.
 */
export function drawModels() {
  const draw = () => {
    const { definitions, hasFailed } = definitionsState.get()
    const models = modelLinks(definitions, null)
    for (const list of document.querySelectorAll('.site-nav, .side-nav')) {
      const isGrouped = list.matches('.site-nav') && models.length > PLAIN_LINKS_MAX
      const items = isGrouped ? [menu(models)] : models.flatMap(({ links }) => links.map(plainItem))
      removeDrawn(list)
      for (const item of items) list.append(markDrawn(item))
    }
    const header = document.querySelector('.site-header')
    removeDrawn(header?.parentElement ?? null)
    if (hasFailed) header?.after(markDrawn(failedLine()))
    definitionsState.adopt()
  }
  return definitionsState.subscribe(draw)
}

const drawn = new WeakSet<Element>()

function markDrawn(element: Element) {
  drawn.add(element)
  return element
}

function removeDrawn(parent: Element | null) {
  const children = [...(parent?.children ?? [])]
  for (const child of children.filter((one) => drawn.has(one))) child.remove()
}

const plainItem = (link: ModelLink) => element('li', {}, [anchor(link, '')])

const menu = (models: ModelLinks[]) =>
  element('li', {}, [
    element(
      'button',
      { type: 'button', class: 'nav-toggle dropdown-toggle', popovertarget: RECORDS_MENU_ID },
      [siteMessages.records],
    ),
    element(
      'div',
      { id: RECORDS_MENU_ID, class: 'dropdown-menu', popover: 'auto' },
      models.map(({ links }) =>
        element(
          'div',
          { class: 'menu-group' },
          links.map((link) => anchor(link, 'dropdown-item')),
        ),
      ),
    ),
  ])

/** As React Router's Link and NavLink draw it. */
const anchor = ({ to, label, name }: ModelLink, className: string) =>
  element(
    'a',
    {
      ...(name === undefined ? {} : { 'aria-label': name }),
      class: className,
      href: to,
      'data-discover': 'true',
    },
    [label],
  )

const failedLine = () =>
  element('div', { class: 'wrap note danger routes-failed' }, [
    element('p', { role: 'alert' }, [specifiedMessages.routesFailed]),
    element(
      'button',
      { type: 'button', class: 'btn btn-secondary btn-sm', 'data-early': 'retry' },
      [siteMessages.tryAgain],
    ),
  ])

/** Text and attributes only: Trusted Types block markup. */
export function element(
  tag: string,
  attributes: Record<string, string>,
  children: (Element | string)[],
) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}
