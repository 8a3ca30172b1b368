import { expect, test } from 'vitest'
import { define } from '../../../test/kit.tsx'
import { fieldsOf } from './own-fields.ts'

const without = define({ path: 'parcels' })

test('[DYN-02] a definition’s own fields are used as they are', () => {
  const fields = [{ name: 'label', label: 'Label', type: 'text' }]
  const parcels = define({ path: 'parcels', viewData: { fields } })
  expect(fieldsOf(parcels, [{ id: 1, label: 'A', weight: 2 }])).toEqual(fields)
})

test('[DYN-02] without declared fields, a record’s simple values are its fields, typed by the values of all rows', () => {
  const rows = [
    { id: 1, name: 'A', weight: 2, isPaid: true, code: 7, note: null, size: { width: 1 } },
    { id: 2, name: null, weight: 2.5, isPaid: false, code: 'x', tags: [] },
  ]
  expect(fieldsOf(without, rows).map(({ name, type }) => `${name}: ${type}`)).toEqual([
    'name: text',
    'weight: decimal',
    'isPaid: boolean',
    'code: text',
  ])
})

test('[DYN-07] passwords and hidden fields are excluded from a record’s own fields', () => {
  const parcels = define({
    path: 'parcels',
    viewData: { fields: [{ name: 'pin', label: 'PIN', type: 'password' }] },
  })
  const rows = [{ id: 1, pin: '1234', userPassword: 'x', name: 'A' }]
  expect(fieldsOf(parcels, rows).map(({ name }) => name)).toEqual(['name'])
})
