/** What a public page says about itself to search engines and link previews. Record pages only have a title. */
export type Head = {
  title: string
  description: string
  /** The one address of this page, for pages that have two; null: not for search engines. */
  canonical: string | null
}

/** After a navigation: the prerendered page has said all of this itself. */
export function applyHead({ title, description, canonical }: Head) {
  document.title = title
  setAttribute('meta[name="description"]', 'content', description)
  setAttribute('link[rel="canonical"]', 'href', canonical ?? window.location.pathname)
}

const setAttribute = (selector: string, name: string, value: string) =>
  document.head.querySelector(selector)?.setAttribute(name, value)
