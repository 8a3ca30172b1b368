import { expect, test } from 'vitest'
import { errorLogFields } from './error-log-fields.ts'

test.each(['0014-channel.sql', 'site/0002-condition-and-serial.sql'])(
  'log fields of an error include the failed migration: %s',
  (migration) => {
    const error = Object.assign(new Error('Maren Seiler'), { migration })
    expect(errorLogFields(error)).toMatchObject({ migration })
  },
)

test('log fields of an error omit values that are not identifiers', () => {
  const error = Object.assign(new Error('x'), { migration: 'other/Maren', code: 'Maren Seiler' })
  expect(Object.keys(errorLogFields(error))).toEqual(['name', 'at'])
})
