import { tickets } from '@gatehouse/model/models'
import { expect, test } from 'vitest'
import { recordIn } from './mail-record.ts'

test('a mail that refers to a missing field of the model is rejected at start-up', () => {
  expect(() => recordIn(tickets, { id: 'ticketId', reference: 'subject' })).not.toThrow()
  // @ts-expect-error: the compiler reports it too
  expect(() => recordIn(tickets, { id: 'ticketId', reference: 'title' })).toThrow(
    'mails of tickets: there is no field "title"',
  )
})
