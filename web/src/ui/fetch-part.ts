import { siteMessages } from '#messages/site.ts'
import { ReadableError } from '#base/readable-error.ts'

const lostStyles = new Set<HTMLLinkElement>()

/** Fetches code that comes on demand; `what` names it where that fails. A failed import is fetched again by the next one. */
export async function fetchPart<T>(what: string, load: () => Promise<T>): Promise<T> {
  try {
    await refetchStyles()
    return await load()
  } catch (cause) {
    throw new ReadableError(siteMessages.notLoaded(what), { cause })
  }
}

export const fetchPage = <T>(load: () => Promise<T>) => fetchPart(siteMessages.parts.page, load)

/** Remembers which stylesheets did not arrive: the bundler asks for each one once, and goes on without it. */
export const watchStyles = () =>
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target)
    },
    { capture: true },
  )

const refetchStyles = () =>
  Promise.all(
    [...lostStyles].map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement
          again.addEventListener('load', resolve)
          again.addEventListener('error', reject)
          lostStyles.delete(link)
          link.replaceWith(again)
        }),
    ),
  )
