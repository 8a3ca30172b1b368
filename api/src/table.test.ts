import { kitchensink, models } from '@gatehouse/model/models'
import { expect, test } from 'vitest'
import { checkTables } from './table.ts'

test('a model may not take the name of a table that is already there', () => {
  expect(checkTables([...models, kitchensink])).toEqual([])
  expect(checkTables([{ ...kitchensink, path: 'audit-events' }])).toEqual([
    'audit-events: there is already a table called "audit_events"',
  ])
  expect(checkTables([{ ...kitchensink, path: 'migrations' }])).toEqual([
    'migrations: there is already a table called "migrations"',
  ])
})
