// What Keycloak’s app leaves out: names of its icon buttons, and of parts that occur more than once.
const name = () => {
  for (const button of document.querySelectorAll('button.pf-m-plain:not([aria-label])'))
    if (!button.textContent.trim()) button.ariaLabel = 'More'
  document
    .querySelectorAll('section[aria-label="device-sessions-content"]')
    .forEach((part, place) => (part.ariaLabel = `Device ${place + 1}`))
}
new MutationObserver(name).observe(document.body, { childList: true, subtree: true })
