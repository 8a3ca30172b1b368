import { matches } from '@gatehouse/model'
import { contracts } from '@gatehouse/model/models'
import { expect, test } from 'vitest'
import { COUNTERS } from './counters.ts'
import { deskMessages } from '#messages/desk.ts'

const ending = { endOn: '2026-03-30', autoRenew: false, status: 'active' }

test.each([
  [ending, true],
  [{ ...ending, endOn: '2026-03-01' }, true],
  [{ ...ending, endOn: '2026-05-01' }, false],
  [{ ...ending, endOn: '2026-02-28', status: 'ended' }, false],
  [{ ...ending, endOn: null }, false],
  [{ ...ending, autoRenew: true }, false],
  [{ ...ending, terminatedOn: '2026-02-01', status: 'ended' }, false],
])('the desk counts contract %j as ending soon: %s', (record, isCounted) => {
  const { address } = COUNTERS.find(({ label }) => label === deskMessages.counted.contracts) ?? {}
  const filter = JSON.parse(new URL(address ?? '', 'https://x').searchParams.get('filter') ?? '')
  const context = { today: '2026-03-01', now: '2026-03-01T09:00:00Z' }
  expect(matches(filter, record, { fields: contracts.fields, context, me: null })).toBe(isCounted)
})
