import { startTestSite, type TestSite } from '@gatehouse/api/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tickets } from '../models/tickets.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.stop())

const openTicket = () =>
  site.as('carol').records(tickets).create({
    fullName: 'Carol Byrne',
    email: 'carol@example.test',
    subject: 'Printer',
    message: 'It prints nothing.',
  })

test('a password in the notes is rejected', async () => {
  const { id } = await openTicket()
  const notes = site.as('tess').records(tickets)
  await expect(notes.update(id, { internalNotes: 'Password: hunter2' })).rejects.toThrow(
    'internalNotes: Passwords belong in the password manager.',
  )
  expect(await notes.update(id, { internalNotes: 'Password reset' })).toMatchObject({
    internalNotes: 'Password reset',
  })
})

test('feedback can be asked for once the request is closed', async () => {
  const { id } = await openTicket()
  await expect(site.as('tess').act(tickets, id, 'survey')).rejects.toMatchObject({
    code: 'not-now',
  })
  await site.as('tess').act(tickets, id, 'close')
  await site.mails()
  await site.as('tess').act(tickets, id, 'survey')
  expect(await site.mails()).toMatchObject([
    { to: 'carol@example.test', subject: expect.stringContaining('How did we do?') },
  ])
})

test('a request that was reopened meanwhile is not asked about', async () => {
  const { id } = await openTicket()
  await site.as('tess').act(tickets, id, 'close')
  await site.as('tess').act(tickets, id, 'survey')
  await site.as('carol').act(tickets, id, 'reopen')
  const subjects = (await site.mails()).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.includes('How did we do?'))).toEqual([])
})
