import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { clearFeedback, renderSite, stubServer } from '../../test/kit.tsx'
import { InquiryForm } from './inquiry-form.tsx'

const CLAIMS = { name: 'Nora Visitor', email: 'nora@client.test' }

afterEach(clearFeedback)

async function open(role: 'user' | null, draft: object = {}) {
  stubServer({})
  const opening = renderSite(
    [{ path: 'privacy', Component: InquiryForm }],
    '/privacy',
    role,
    CLAIMS,
  )
  sessionStorage.setItem('inquiryDraft:sub-1', JSON.stringify(draft))
  await opening
}
const box = (name: string) => screen.findByLabelText<HTMLInputElement>(name)

test('name and email of the Privacy Inquiry Form are prefilled for signed-in users, never over typed text', async () => {
  await open('user', { email: 'other@client.test' })
  await screen.findByDisplayValue('Nora Visitor')
  expect((await box('Email')).value).toBe('other@client.test')
})

test('the Privacy Inquiry Form of someone signed out is empty', async () => {
  await open(null)
  expect([(await box('Name')).value, (await box('Email')).value]).toEqual(['', ''])
})
