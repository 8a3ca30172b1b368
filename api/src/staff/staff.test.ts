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

/** A directory in which every account is in this state. */
const directoryWith = (state: State) => ({
  find: async (id: string) =>
    state.isGone
      ? null
      : { id, username: id, enabled: true, emailVerified: true, createdTimestamp: 0, ...state },
  levelOf: async () => (state.isOwner === false ? ('technician' as const) : ('owner' as const)),
})

/** Whether Ada may leave, beside another whom our records call an owner and the provider describes so. */
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

test('an owner may leave while another can sign in as one', async () => {
  expect(await mayLeave({})).toBe(true)
})

test.each<[string, State, ('owner' | 'technician')?]>([
  ['is a technician', {}, 'technician'],
  ['is disabled', { enabled: false }],
  ['never signed in', { isUnseen: true }],
  ['never confirmed the address', { emailVerified: false }],
  ['lost the role at the provider', { isOwner: false }],
  ['has no account any more', { isGone: true }],
])('the last owner stays where the other %s', async (_, other, level) => {
  expect(await mayLeave(other, level)).toBe('last-owner')
})

test.each<[string, State, boolean]>([
  ['still is one', {}, true],
  ['was demoted since the token was issued', { isOwner: false }, false],
  ['was disabled since', { enabled: false }, false],
  ['has no account any more', { isGone: true }, false],
])('acts on staff are for an owner who %s', async (_, state, isAllowed) => {
  const status = await requireStillOwner(directoryWith(state), { sub: 'ada' }).then(
    () => 200,
    (error: { status: number }) => error.status,
  )
  expect(status).toBe(isAllowed ? 200 : 403)
})
