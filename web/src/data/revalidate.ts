import { buildValue } from '#base/observable.ts'

let revalidate: () => Promise<void> = () => Promise.resolve()

/** main.tsx passes the router's revalidation: importing the router here would be an import cycle. */
export const offerRevalidation = (given: typeof revalidate) => {
  revalidate = given
}

/** Revalidates from outside React: a toast outlives its page. */
export const revalidatePage = () => revalidate()

/** How many writes were saved: numbers outside the page are counted again. */
export const writes = buildValue(0)
