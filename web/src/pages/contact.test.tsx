import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { asked, clearFeedback, openSite, stubServer } from '../../test/kit.tsx'
import { Contact } from './contact.tsx'

const SEND = 'POST /api/tickets'
const KEY = 'contactDraft:sub-1'

afterEach(clearFeedback)

async function open(role: 'user' | null, drafts: Record<string, object> = {}) {
  const calls = stubServer({ [SEND]: { number: 7 } })
  const opening = openSite([{ path: 'contact', Component: Contact }], '/contact', role)
  for (const [key, values] of Object.entries(drafts))
    sessionStorage.setItem(key, JSON.stringify(values))
  await opening
  return calls
}
const box = (name: string) => screen.findByLabelText<HTMLInputElement>(new RegExp(`^${name}`))

test('Send message pressed twice at once makes one request', async () => {
  const values = {
    fullName: 'Nora',
    email: 'nora@example.test',
    subject: 'Printer',
    message: 'Off',
  }
  const calls = await open('user', { [KEY]: values })
  await screen.findByDisplayValue('Printer')
  const send = screen.getByRole('button', { name: 'Send message' })
  act(() => {
    send.click()
    send.click()
  })
  await screen.findByText(/Your reference is #7/)
  expect(asked(calls).filter((call) => call === SEND)).toHaveLength(1)
  expect(sessionStorage.getItem(KEY)).toBeNull()
})

test('what somebody typed signed in is theirs: signed out, it is not shown', async () => {
  await open(null, { [KEY]: { subject: 'Of an account' } })
  expect((await box('Subject')).value).toBe('')
  await userEvent.type(await box('Subject'), 'Of nobody')
  expect(sessionStorage.getItem('contactDraft:')).toContain('Of nobody')
  expect(sessionStorage.getItem(KEY)).toContain('Of an account')
})
