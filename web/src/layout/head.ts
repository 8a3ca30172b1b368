import { site } from '#base/site.ts'

/** What a public page says about itself to search engines and link previews. Record pages only have a title. */
export type Head = {
  title: string
  description: string
  /** The one address of this page, for pages that have two; null: not for search engines. */
  canonical: string | null
}

/** Of a page that sets its title itself. */
export const NO_HEAD: Head = { title: '', description: '', canonical: null }

/** The address under which the world knows a path of this site. */
export const publicUrl = (path: string) => new URL(path, site.url).href

/** After a navigation: the prerendered page has said all of this itself. */
export function applyHead({ title, description, canonical }: Head) {
  document.title = title
  put('meta', { name: 'description' }, { content: description })
  put('meta', { name: 'robots' }, canonical === null ? { content: 'noindex' } : null)
  put('link', { rel: 'canonical' }, canonical === null ? null : { href: publicUrl(canonical) })
}

/** The one element of its kind in the head: made, changed or, with null, taken away. */
function put(
  tag: 'meta' | 'link',
  which: Record<string, string>,
  values: Record<string, string> | null,
) {
  const [name, value] = Object.entries(which)[0] ?? []
  const found = document.head.querySelector(`${tag}[${name}="${value}"]`)
  if (!values) return found?.remove()
  const element = found ?? document.head.appendChild(document.createElement(tag))
  for (const [key, text] of Object.entries({ ...which, ...values })) element.setAttribute(key, text)
}
