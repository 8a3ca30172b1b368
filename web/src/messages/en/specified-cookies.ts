/** The specification's as well, of the question about cookies. */
export const specifiedCookieMessages = {
  title: 'Your Privacy Choices',
  essential: 'Essential cookies',
  analytics: 'Analytics cookies',
  essentialOnly: 'Essential Only',
  acceptAll: 'Accept All',
  accepted: { all: 'All cookies accepted', essential: 'Essential cookies only accepted' },
}
