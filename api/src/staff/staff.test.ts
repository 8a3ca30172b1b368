import { expect, test } from 'vitest'
import { requireStillOwner } from '#platform/identity/require-owner.ts'
import { requireOtherOwner } from './staff.ts'

type State = {
  enabled?: boolean
  emailVerified?: boolean
  isOwner?: boolean
  isGone?: true
  isUnseen?: true
}

const directoryWith = (state: State) => ({
  find: async (id: string) =>
    state.isGone
      ? null
      : { id, username: id, enabled: true, emailVerified: true, createdTimestamp: 0, ...state },
  levelOf: async () => (state.isOwner === false ? ('technician' as const) : ('owner' as const)),
})

/** Whether Ada may leave, given another owner in our records with this state at the provider. */
const mayLeave = (other: State, level: 'owner' | 'technician' = 'owner') =>
  requireOtherOwner(
    directoryWith(other),
    [
      { sub: 'ada', level: 'owner', lastSeenOn: '2026-01-01' },
      { sub: 'otto', level, lastSeenOn: other.isUnseen ? null : '2026-01-01' },
    ],
    { sub: 'ada' },
  ).then(
    () => true,
    (error: { code: string }) => error.code,
  )

test('an owner may leave while another owner can sign in', async () => {
  expect(await mayLeave({})).toBe(true)
})

test.each<[string, State, ('owner' | 'technician')?]>([
  ['is a technician', {}, 'technician'],
  ['is disabled', { enabled: false }],
  ['never signed in', { isUnseen: true }],
  ['never confirmed the address', { emailVerified: false }],
  ['lost the role at the provider', { isOwner: false }],
  ['has no account any more', { isGone: true }],
])('the last owner may not leave if the other %s', async (_, other, level) => {
  expect(await mayLeave(other, level)).toBe('last-owner')
})

test.each<[string, State, boolean]>([
  ['still is one', {}, true],
  ['was demoted since the token was issued', { isOwner: false }, false],
  ['was disabled since', { enabled: false }, false],
  ['has no account any more', { isGone: true }, false],
])('staff changes check at the provider whether the owner %s', async (_, state, isAllowed) => {
  const status = await requireStillOwner(directoryWith(state), { sub: 'ada' }).then(
    () => 200,
    (error: { status: number }) => error.status,
  )
  expect(status).toBe(isAllowed ? 200 : 403)
})
