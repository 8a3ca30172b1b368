/** Also fixed by the specification: the cookie banner. */
export const specifiedCookieMessages = {
  title: 'Your Privacy Choices',
  essential: 'Essential cookies',
  analytics: 'Analytics cookies',
  essentialOnly: 'Essential Only',
  acceptAll: 'Accept All',
  accepted: { all: 'All cookies accepted', essential: 'Essential cookies only accepted' },
}
