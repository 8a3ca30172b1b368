import { expect, test } from 'vitest'
import { conditionsOf, isCondition, partsOf, type Condition, type Filter } from './filter.ts'

const open: Condition = ['status', 'eq', 'Open']
const late: Condition = ['dueAt', 'lt', '@now']
const mine: Condition = ['clientId', 'eq', '@me']
const inner: Filter = { any: [late, { all: [mine] }] }
const filter: Filter = { all: [open, inner] }

test('the parts of a filter are what stands directly in it, be it all or any', () => {
  expect(partsOf(filter)).toEqual([open, inner])
  expect(partsOf(inner)).toEqual([late, { all: [mine] }])
})

test('a condition is told from a filter', () => {
  expect(partsOf(filter).map(isCondition)).toEqual([true, false])
})

test('the conditions of a filter are found at any depth, in reading order', () => {
  expect(conditionsOf(filter)).toEqual([open, late, mine])
  expect(conditionsOf({ any: [] })).toEqual([])
})
