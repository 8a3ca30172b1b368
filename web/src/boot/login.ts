import { readConfig } from '#auth/read-config.ts'
import { dropManager, offerSignIn } from '#auth/session.ts'
import { siteMessages } from '#messages/site.ts'
import { importChunk } from '#ui/import-chunk.ts'

/** Off to the identity provider with the client alone: React would be thrown away with the page. */
export async function signInEarly(button: HTMLButtonElement, onTrouble: () => void) {
  if (button.getAttribute('aria-busy') === 'true') return
  button.setAttribute('aria-busy', 'true')
  // The app has the words and the page for what went wrong.
  const giveUp = () => {
    dropManager()
    onTrouble()
  }
  try {
    const [{ signIn }, { startAuth }] = await loadSignIn()
    offerSignIn({ load: async () => startAuth(await readConfig()), onTrouble: giveUp })
    await signIn({ returnUrl: window.location.pathname + window.location.search })
  } catch {
    giveUp()
  }
}

/** Also before the press, when it is about to come. */
export const loadSignIn = () =>
  importChunk(siteMessages.parts.signIn, () =>
    Promise.all([import('#auth/auth.ts'), import('#auth/start-auth.ts')]),
  )

/** After the page came back from the back/forward cache. */
export function resetSignIn() {
  dropManager()
  for (const button of document.querySelectorAll('[data-early="login"]'))
    button.removeAttribute('aria-busy')
}
