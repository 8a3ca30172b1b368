/** Also fixed by the specification: the cookie banner. */
export const specifiedCookieMessages = {
  title: 'Your Privacy Choices',
  essential: 'Essential cookies',
  analytics: 'Analytics cookies',
  essentialOnly: 'Essential Only',
  acceptAll: 'Accept All',
}

/** Apart from the question, which only the server renders. */
export const acceptedMessages = {
  all: 'All cookies accepted',
  essential: 'Essential cookies only accepted',
}
