import { expect, test } from 'vitest'
import { requireOtherOwner } from './people.ts'

type State = { enabled?: boolean; emailVerified?: boolean; isOwner?: boolean; isGone?: true }

/** Whether Ada may leave, beside another whom our records call an owner and the provider describes so. */
const mayLeave = (other: State, level: 'owner' | 'technician' = 'owner') =>
  requireOtherOwner(
    {
      find: async (id) =>
        other.isGone
          ? null
          : { id, enabled: true, emailVerified: true, createdTimestamp: 0, ...other },
      isOwner: async () => other.isOwner ?? true,
    },
    [
      { sub: 'ada', level: 'owner' },
      { sub: 'otto', level },
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
  ['never confirmed the address', { emailVerified: false }],
  ['lost the role at the provider', { isOwner: false }],
  ['has no account any more', { isGone: true }],
])('the last owner stays where the other %s', async (_, other, level) => {
  expect(await mayLeave(other, level)).toBe('last-owner')
})
