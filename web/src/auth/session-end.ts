import type { UserManager } from 'oidc-client-ts'
import { forgetDrafts } from '#base/drafts.ts'

/** Why a session is over: someone signed out in another tab, or the provider ended it. */
export type SessionEnd = 'elsewhere' | 'expired'

const PROBE_TIMEOUT_MS = 9_000

/** Tells when the provider's session is over, and why: the client itself takes every doubt for a sign-out. */
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
    // As in the tab that signed out; after a session that only ended its owner goes on.
    if (isSignedOutElsewhere) forgetDrafts()
    onEnd(isSignedOutElsewhere ? 'elsewhere' : 'expired')
  })
}

/**
 * Asks with the token, not with a cookie: the client's own question comes from a frame, where the browser may keep the
 * provider's cookies away, and a network that fails answers nothing.
 */
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
