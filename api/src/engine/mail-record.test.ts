import { tickets } from '@gatehouse/model/models'
import { expect, test } from 'vitest'
import { recordIn } from './mail-record.ts'

test('a mail that refers to a field the model doesn’t have is refused at start-up', () => {
  expect(() => recordIn(tickets, { id: 'ticketId', reference: 'subject' })).not.toThrow()
  // @ts-expect-error: the compiler says it too
  expect(() => recordIn(tickets, { id: 'ticketId', reference: 'title' })).toThrow(
    'mails of tickets: there is no field "title"',
  )
})
