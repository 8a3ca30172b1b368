import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { clearFeedback } from '../../test/kit.tsx'
import { ModalHost, showModal } from './modals.tsx'

const line = vi.hoisted(() => ({ isUp: false }))
vi.mock('#ui/overlay/modal-parts.tsx', async (original) => {
  if (!line.isUp) throw new Error('offline')
  return original()
})
afterEach(clearFeedback)

test('a dialog that could not be fetched is tried again by asking for it again', async () => {
  render(<ModalHost />)
  const ask = () => act(() => showModal({ title: 'Question', body: 'Sign in first.' }))
  ask()
  await screen.findByText(/Couldn’t load this dialog/)
  line.isUp = true
  ask()
  expect(await screen.findByRole('dialog', { name: 'Question' })).toBeDefined()
})
