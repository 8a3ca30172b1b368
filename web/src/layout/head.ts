import { site } from '#base/site.ts'

/** Metadata of a public page for search engines and previews. Record pages only have a title. */
export type Head = {
  title: string
  description: string
  /** The canonical path; null for noindex. */
  canonical: string | null
  /** Names the feed of articles. */
  hasFeed?: boolean
}

/** For pages that set their own title. */
export const NO_HEAD: Head = { title: '', description: '', canonical: null }

export const publicUrl = (path: string) => new URL(path, site.url).href

/** Updates the head after a navigation; prerendered pages include their own. */
export function applyHead({ title, description, canonical }: Head) {
  document.title = title
  put('meta', { name: 'description' }, { content: description })
  put('meta', { name: 'robots' }, canonical === null ? { content: 'noindex' } : null)
  put('link', { rel: 'canonical' }, canonical === null ? null : { href: publicUrl(canonical) })
}

/** Null removes the element. */
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
