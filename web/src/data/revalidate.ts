let revalidate: () => Promise<void> = () => Promise.resolve()

/** The router, once there is one. */
export const offerRevalidation = (given: typeof revalidate) => {
  revalidate = given
}

/** Loads the data of the page again, for code that no page runs: a toast outlives the page it came from. */
export const revalidatePage = () => revalidate()
