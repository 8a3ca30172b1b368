import type { UserManager } from 'oidc-client-ts'
import { deleteDrafts } from '#base/drafts.ts'

/** Why a session ended: a sign-out in another tab, or the provider. */
export type SessionEnd = 'elsewhere' | 'expired'

const PROBE_TIMEOUT_MS = 9_000

/** Reports the end of the provider's session and its cause: the client itself treats every error as a sign-out. */
export function watchSessionEnd(manager: UserManager, onEnd: (how: SessionEnd) => void) {
  const tabs = new BroadcastChannel('signOut')
  let isSignedOutElsewhere = false
  tabs.addEventListener('message', () => {
    isSignedOutElsewhere = true
  })
  manager.events.addUserLoaded(() => {
    isSignedOutElsewhere = false
  })

  const leave = manager.signoutRedirect.bind(manager)
  manager.signoutRedirect = (args) => {
    tabs.postMessage(null)
    return leave(args)
  }
  const raise = manager.events._raiseUserSignedOut.bind(manager.events)
  manager.events._raiseUserSignedOut = async () => {
    if (await isOver(manager)) await raise()
  }
  manager.events.addUserSignedOut(() => {
    // Deletes drafts like the tab that signed out. After an expired session the same user continues.
    if (isSignedOutElsewhere) deleteDrafts()
    onEnd(isSignedOutElsewhere ? 'elsewhere' : 'expired')
  })
}

/** Checks with the token: the client's own check uses an iframe without cookies, and treats network errors as a sign-out. */
async function isOver(manager: UserManager) {
  const user = await manager.getUser()
  if (!user) return true
  try {
    const { status } = await fetch(await manager.metadataService.getUserInfoEndpoint(), {
      headers: { authorization: `Bearer ${user.access_token}` },
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    return status === 401 || status === 403
  } catch {
    return false
  }
}
