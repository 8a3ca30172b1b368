let revalidate: () => Promise<void> = () => Promise.resolve()

/** Set by main.tsx. */
export const offerRevalidation = (given: typeof revalidate) => {
  revalidate = given
}

/** Revalidates from outside React: a toast outlives its page. */
export const revalidatePage = () => revalidate()
