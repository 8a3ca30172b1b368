import { siteMessages } from '#messages/site.ts'
import { ReadableError } from '#base/readable-error.ts'

const lostStyles = new Set<HTMLLinkElement>()

/** Loads a lazy chunk; `what` names it in errors. A failed import is retried by the next call. */
export async function importChunk<T>(what: string, load: () => Promise<T>): Promise<T> {
  try {
    await refetchStyles()
    return await load()
  } catch (cause) {
    throw new ReadableError(siteMessages.notLoaded(what), { cause })
  }
}

export const importPage = <T>(load: () => Promise<T>) => importChunk(siteMessages.parts.page, load)

/** Tracks failed stylesheets: the bundler requests each only once, and ignores failures. */
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
