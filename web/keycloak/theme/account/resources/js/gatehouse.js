// Adds accessible names that Keycloak’s app lacks: icon buttons and repeated landmarks.
const name = () => {
  for (const button of document.querySelectorAll('button.pf-m-plain:not([aria-label])'))
    if (!button.textContent.trim()) button.ariaLabel = 'More'
  document
    .querySelectorAll('section[aria-label="device-sessions-content"]')
    .forEach((part, place) => (part.ariaLabel = `Device ${place + 1}`))
}
new MutationObserver(name).observe(document.body, { childList: true, subtree: true })
