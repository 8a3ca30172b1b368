import { definitionsState, menuDefinitions } from '#data/definitions.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import {
  currentOf,
  modelLinks,
  PLAIN_LINKS_MAX,
  type ModelLink,
  type ModelLinks,
} from './model-links.ts'

export const RECORDS_MENU_ID = 'records-menu'

/**
 * Draws the model links if they differ from the document's, or the line that they failed to load, until the app runs: the same
 * elements as layout/nav-bar.tsx, layout/root.tsx and public/contact-files.tsx, so that hydration matches. Returns a function that stops it.
 */
export function drawModels() {
  const linksNow = () => modelLinks(menuDefinitions(definitionsState.get()), null)
  let shown = JSON.stringify(linksNow())
  const draw = () => {
    const { hasFailed } = definitionsState.get()
    const models = linksNow()
    if (shown !== JSON.stringify(models)) drawLinks(models)
    shown = JSON.stringify(models)
    document.querySelector('.routes-failed')?.remove()
    if (hasFailed) document.querySelector('.site-header')?.after(failedLine())
    showFileLines()
    definitionsState.adopt()
  }
  return definitionsState.subscribe(draw)
}

/** Lines that are true only of a server that takes files: public/contact-files.tsx. */
function showFileLines() {
  for (const line of document.querySelectorAll<HTMLElement>('[data-files]'))
    line.hidden = !takesFiles(line.dataset['files'] ?? '')
}

const takesFiles = (path: string) =>
  menuDefinitions(definitionsState.get()).some((one) => one.path === path && one.files === true)

function drawLinks(models: ModelLinks[]) {
  for (const list of document.querySelectorAll('.site-nav, .side-nav')) {
    const isGrouped = list.matches('.site-nav') && models.length > PLAIN_LINKS_MAX
    const items = isGrouped ? [menu(models)] : models.flatMap(({ links }) => links.map(plainItem))
    for (const item of list.querySelectorAll(':scope > [data-models]')) item.remove()
    list.append(...items)
  }
}

const plainItem = (link: ModelLink) => element('li', ITEM, [anchor(link)])

/** As React draws the attribute. */
const ITEM = { 'data-models': 'true' }

const menu = (models: ModelLinks[]) =>
  element('li', ITEM, [
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
const anchor = (link: ModelLink, className?: string) => {
  const { to, label, name } = link
  const current = className ? undefined : currentOf(link, window.location.pathname)
  return element(
    'a',
    {
      ...(name === undefined ? {} : { 'aria-label': name }),
      ...(current === undefined ? {} : { 'aria-current': current }),
      ...(className === undefined ? {} : { class: className }),
      href: to,
      'data-discover': 'true',
    },
    [label],
  )
}

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
