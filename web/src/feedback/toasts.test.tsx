import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clearFeedback } from '../../test/kit.tsx'
import { fromQuery, fromState } from './read-instruction.ts'
import { showToast, TOAST_TYPES, ToastCard, ToastHost, type Toast } from './toasts.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(clearFeedback)

const show = (toast: Toast) => act(() => showToast(toast))
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })
const card = (message: string) => {
  const found = screen.queryByText(message)?.closest<HTMLElement>('[role]')
  if (!found) throw new Error(`No toast says ${message}`)
  return found
}
const isShown = (message: string) => screen.queryByText(message) !== null

describe('toasts', () => {
  test('[TOAST-01] a toast needs only a message: it is info, hides itself and can be closed', () => {
    render(<ToastHost />)
    show({ message: 'Hello' })
    expect(card('Hello')).toHaveProperty('className', expect.stringMatching(/\binfo\b/))
    expect(screen.getByRole('button', { name: 'Close' })).toBeDefined()
    pass(60_000)
    expect(isShown('Hello')).toBe(false)
  })

  test('[TOAST-01] two toasts with the same message are two toasts, and each is closed on its own', () => {
    render(<ToastHost />)
    show({ message: 'Twice' })
    show({ message: 'Twice' })
    expect(screen.getAllByText('Twice')).toHaveLength(2)
    fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0]!)
    expect(screen.getAllByText('Twice')).toHaveLength(1)
  })

  test('[TOAST-01] a toast with closeButton false has no button', () => {
    render(<ToastHost />)
    show({ message: 'Hello', closeButton: false })
    expect(screen.queryByRole('button')).toBeNull()
    pass(60_000)
  })

  test('[TOAST-01] a toast with autohide false is shown until closed', () => {
    render(<ToastHost />)
    show({ message: 'Stay', autohide: false })
    pass(600_000)
    expect(isShown('Stay')).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(isShown('Stay')).toBe(false)
  })

  test('[TOAST-02] toasts have six types, each with its own icon', () => {
    expect(TOAST_TYPES).toEqual(['success', 'danger', 'warning', 'info', 'primary', 'secondary'])
    const icons = TOAST_TYPES.map((type) => {
      const { container, unmount } = render(
        <ToastCard id={type} type={type} message={type} onClose={() => {}} />,
      )
      const icon = container.querySelector('.ic svg')
      expect(icon?.getAttribute('aria-hidden')).toBe('true')
      expect(icon?.querySelectorAll('path, use').length).toBeGreaterThan(0)
      expect(container.querySelector('.toast-g')?.classList.contains(type)).toBe(true)
      const drawing = icon?.innerHTML
      unmount()
      return drawing
    })
    expect(new Set(icons).size).toBe(6)
  })

  test.each(TOAST_TYPES)('[TOAST-02] a %s toast is announced; danger assertively', (type) => {
    render(<ToastCard id="1" type={type} message="Hello" onClose={() => {}} />)
    expect(card('Hello').getAttribute('role')).toBe(type === 'danger' ? 'alert' : 'status')
  })

  test('[LAY-04] a toast shows markup as text', () => {
    render(<ToastHost />)
    const message = '<b>bold</b> <a href="https://evil.test">link</a> &amp; **md**'
    show({ message })
    expect(screen.getByText(message).className).toBe('toast-message')
    expect(screen.queryByRole('link')).toBeNull()
  })

  test('[TOAST-01] a fourth toast waits for a free slot, and is then shown for its full time', () => {
    render(<ToastHost />)
    for (const message of ['1', '2', '3', '4']) show({ message })
    expect(['1', '2', '3', '4'].map(isShown)).toEqual([true, true, true, false])
    pass(4000)
    expect(isShown('4')).toBe(true)
    pass(3999)
    expect(isShown('4')).toBe(true)
    pass(1)
    expect(isShown('4')).toBe(false)
  })
})

describe('a toast with an action', () => {
  test('a toast action runs once and closes the toast', () => {
    render(<ToastHost />)
    const run = vi.fn<() => void>()
    show({ message: 'Done', action: { label: 'Undo', run } })
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(run).toHaveBeenCalledTimes(1)
    expect(isShown('Done')).toBe(false)
  })

  test('a toast with an action is shown longer', () => {
    render(<ToastHost />)
    show({ message: 'Done', action: { label: 'Undo', run: () => {} } })
    pass(9999)
    expect(isShown('Done')).toBe(true)
    pass(1)
    expect(isShown('Done')).toBe(false)
  })

  test('F6 moves the focus to a toast’s action, and back to where it was', () => {
    render(
      <>
        <input aria-label="Elsewhere" />
        <ToastHost />
      </>,
    )
    const elsewhere = screen.getByRole('textbox', { name: 'Elsewhere' })
    act(() => elsewhere.focus())
    fireEvent.keyDown(elsewhere, { key: 'F6' })
    expect(document.activeElement).toBe(elsewhere)
    show({ message: 'Done', action: { label: 'Undo', run: () => {} } })
    show({ message: 'Newer, and nothing to do about it' })
    fireEvent.keyDown(elsewhere, { key: 'F6' })
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Undo' }))
    fireEvent.keyDown(screen.getByRole('button', { name: 'Undo' }), { key: 'F6' })
    expect(document.activeElement).toBe(elsewhere)
  })

  test('a toast action can’t be set by a URL or by navigation state', () => {
    const toast = { message: 'Hello', action: { label: 'Undo', run: 'x' } }
    const query = new URLSearchParams({ toast: JSON.stringify(toast) })
    expect(fromQuery(query).toast).not.toHaveProperty('action')
    expect(fromState({ toast }).toast).not.toHaveProperty('action')
  })
})

describe('the time a toast is shown', () => {
  test('[TOAST-03] a toast from the helper hides after 4000 ms', () => {
    render(<ToastHost />)
    show({ message: 'Hello' })
    pass(3999)
    expect(isShown('Hello')).toBe(true)
    pass(1)
    expect(isShown('Hello')).toBe(false)
  })

  test('[TOAST-03] a toast component without a delay hides after 5000 ms', () => {
    const onClose = vi.fn<(id: string) => void>()
    render(<ToastCard id="1" message="Hello" onClose={onClose} />)
    pass(4999)
    expect(onClose).not.toHaveBeenCalled()
    pass(1)
    expect(onClose).toHaveBeenCalledWith('1')
  })

  test('[TOAST-03] a toast hides after its own delay', () => {
    render(<ToastHost />)
    show({ message: 'Hello', delay: 1500 })
    pass(1499)
    expect(isShown('Hello')).toBe(true)
    pass(1)
    expect(isShown('Hello')).toBe(false)
  })

  test('[TOAST-03] a toast pauses while hovered and then continues with the remaining time', () => {
    render(<ToastHost />)
    show({ message: 'Hello' })
    pass(3000)
    fireEvent.mouseEnter(card('Hello'))
    pass(60_000)
    expect(isShown('Hello')).toBe(true)
    fireEvent.mouseLeave(card('Hello'))
    pass(999)
    expect(isShown('Hello')).toBe(true)
    pass(1)
    expect(isShown('Hello')).toBe(false)
  })

  test('[TOAST-03] a toast pauses while focused', () => {
    render(<ToastHost />)
    show({ message: 'Hello' })
    pass(3000)
    act(() => screen.getByRole('button', { name: 'Close' }).focus())
    pass(60_000)
    expect(isShown('Hello')).toBe(true)
    act(() => screen.getByRole('button', { name: 'Close' }).blur())
    pass(1000)
    expect(isShown('Hello')).toBe(false)
  })

  test('[TOAST-03] a focused toast remains paused when the mouse leaves it', () => {
    render(<ToastHost />)
    show({ message: 'Hello' })
    act(() => screen.getByRole('button', { name: 'Close' }).focus())
    fireEvent.mouseEnter(card('Hello'))
    fireEvent.mouseLeave(card('Hello'))
    pass(60_000)
    expect(isShown('Hello')).toBe(true)
  })

  test('[TOAST-03] a toast keeps its own time when another one follows', () => {
    render(<ToastHost />)
    show({ message: 'First' })
    pass(3000)
    show({ message: 'Second' })
    pass(1000)
    expect(isShown('First')).toBe(false)
    expect(isShown('Second')).toBe(true)
  })
})
