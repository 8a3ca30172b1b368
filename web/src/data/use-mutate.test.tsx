import { render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { clearFeedback, stubServer } from '../../test/kit.tsx'
import { useMutate } from './use-mutate.ts'

afterEach(clearFeedback)

test('a second click while the first is pending neither writes nor calls back', async () => {
  const calls = stubServer({ 'POST /api/things': { id: 1 } })
  const onSaved = vi.fn<() => void>()
  const onSettled = vi.fn<() => void>()
  function Page() {
    const { send, pending } = useMutate()
    return (
      <button
        type="button"
        aria-busy={pending.has('things')}
        onClick={() => send({ path: 'things', body: {} }, { onSaved, onSettled })}
      >
        Send
      </button>
    )
  }
  const router = createMemoryRouter([{ path: '/', Component: Page }])
  render(<RouterProvider router={router} />)
  const button = await screen.findByRole('button')
  button.click()
  button.click()
  await waitFor(() => expect(onSettled).toHaveBeenCalled())
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'))
  expect([calls.length, onSaved.mock.calls.length, onSettled.mock.calls.length]).toEqual([1, 1, 1])
})
