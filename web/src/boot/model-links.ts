import type { Visitor } from '@gatehouse/model'
import { siteMessages } from '#messages/site.ts'
import { canDo, nameOf, type Definition } from '#data/definitions.ts'
import { modelPathOf, readingFieldOf } from '#data/reading.ts'

/** With more models, they are grouped in one menu. */
export const PLAIN_LINKS_MAX = 3

export type ModelLink = {
  to: string
  label: string
  /** The accessible name, if longer than the label. */
  name?: string
  /** The index of reading pages. */
  isReading?: boolean
}
export type ModelLinks = { path: string; links: ModelLink[] }

export const modelLinks = (definitions: Definition[], visitor: Visitor): ModelLinks[] =>
  definitions
    .filter((definition) => definition.menu !== false)
    .map((definition) => ({
      path: `/${definition.path.toLowerCase()}`,
      links: linksTo(definition, visitor),
    }))
    .filter(({ links }) => links.length > 0)

function linksTo(definition: Definition, visitor: Visitor): ModelLink[] {
  const path = `/${definition.path.toLowerCase()}`
  const { title } = definition.viewData
  return [
    ...(canDo(definition, 'list', visitor)
      ? [
          {
            to: path,
            label: title,
            name: siteMessages.list(title),
            isReading: readingFieldOf(definition) !== undefined,
          },
        ]
      : []),
    ...(canDo(definition, 'create', visitor)
      ? [{ to: `${path}/create`, label: siteMessages.create(nameOf(definition)) }]
      : []),
  ]
}

/** `aria-current` of a link: `page` at its own address and further ones of the same page, `true` on reading pages below it. */
export function currentOf({ to, isReading }: ModelLink, pathname: string) {
  const path = pathname.replace(/(.)\/$/, '$1')
  if (path === to) return 'page'
  if (!isReading || modelPathOf(path) !== to.slice(1)) return undefined
  if (!path.startsWith(`${to}/`)) return 'page'
  return path !== `${to}/create` && path.split('/').length <= 3 ? 'true' : undefined
}
