import { readConfig } from '#auth/read-config.ts'
import { dropManager, offerSignIn } from '#auth/session.ts'
import { siteMessages } from '#messages/site.ts'
import { importChunk } from '#ui/import-chunk.ts'

/** Redirects to the identity provider with only the sign-in client: React would be discarded with the page. */
export async function signInEarly(button: HTMLButtonElement, onError: () => void) {
  if (button.getAttribute('aria-busy') === 'true') return
  button.setAttribute('aria-busy', 'true')
  // Errors are left to the app, which has their messages and page.
  const leaveToApp = () => {
    dropManager()
    onError()
  }
  try {
    const [{ signIn }, { startAuth }] = await loadSignIn()
    offerSignIn({ load: async () => startAuth(await readConfig()), onTrouble: leaveToApp })
    await signIn({ returnUrl: window.location.pathname + window.location.search })
  } catch {
    leaveToApp()
  }
}

/** Also called on hover or focus, before the click. */
export const loadSignIn = () =>
  importChunk(siteMessages.parts.signIn, () =>
    Promise.all([import('#auth/auth.ts'), import('#auth/start-auth.ts')]),
  )

/** For a page restored from the back/forward cache. */
export function resetSignIn() {
  dropManager()
  for (const button of document.querySelectorAll('[data-early="login"]'))
    button.removeAttribute('aria-busy')
}
