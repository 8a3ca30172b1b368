import { expect, test } from 'vitest'
import { conditionsOf, isCondition, partsOf, type Condition, type Filter } from './filter.ts'

const open: Condition = ['status', 'eq', 'Open']
const late: Condition = ['dueAt', 'lt', '@now']
const mine: Condition = ['clientId', 'eq', '@me']
const inner: Filter = { any: [late, { all: [mine] }] }
const filter: Filter = { all: [open, inner] }

test('partsOf returns the direct parts of `all` and `any`', () => {
  expect(partsOf(filter)).toEqual([open, inner])
  expect(partsOf(inner)).toEqual([late, { all: [mine] }])
})

test('conditions and filters are distinguished', () => {
  expect(partsOf(filter).map(isCondition)).toEqual([true, false])
})

test('conditionsOf finds conditions at any depth, in order', () => {
  expect(conditionsOf(filter)).toEqual([open, late, mine])
  expect(conditionsOf({ any: [] })).toEqual([])
})
