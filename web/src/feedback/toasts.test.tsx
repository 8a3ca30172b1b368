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

describe('what a toast is', () => {
  test('[TOAST-01] of a toast only the message is needed: it is info, hides itself and can be closed', () => {
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

  test('[TOAST-01] closeButton false: there is nothing to press', () => {
    render(<ToastHost />)
    show({ message: 'Hello', closeButton: false })
    expect(screen.queryByRole('button')).toBeNull()
    pass(60_000)
  })

  test('[TOAST-01] autohide false: it stays until it is closed', () => {
    render(<ToastHost />)
    show({ message: 'Stay', autohide: false })
    pass(600_000)
    expect(isShown('Stay')).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(isShown('Stay')).toBe(false)
  })

  test('[TOAST-02] there are six types, each with its own icon', () => {
    expect(TOAST_TYPES).toEqual(['success', 'danger', 'warning', 'info', 'primary', 'secondary'])
    const icons = TOAST_TYPES.map((type) => {
      const { container, unmount } = render(
        <ToastCard id={type} type={type} message={type} onClose={() => {}} />,
      )
      const icon = container.querySelector('.ic svg')
      expect(icon?.getAttribute('aria-hidden')).toBe('true')
      expect(icon?.querySelectorAll('path').length).toBeGreaterThan(0)
      expect(container.querySelector('.toast-g')?.classList.contains(type)).toBe(true)
      const drawing = icon?.innerHTML
      unmount()
      return drawing
    })
    expect(new Set(icons).size).toBe(6)
  })

  test.each(TOAST_TYPES)('[TOAST-02] %s is announced; danger assertively', (type) => {
    render(<ToastCard id="1" type={type} message="Hello" onClose={() => {}} />)
    expect(card('Hello').getAttribute('role')).toBe(type === 'danger' ? 'alert' : 'status')
  })

  test('[LAY-04] what looks like markup is text', () => {
    render(<ToastHost />)
    const message = '<b>bold</b> <a href="https://evil.test">link</a> &amp; **md**'
    show({ message })
    expect(screen.getByText(message).className).toBe('toast-message')
    expect(screen.queryByRole('link')).toBeNull()
  })

  test('[TOAST-01] more than three wait until there is room, and then get their whole time', () => {
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

describe('a toast with something to do', () => {
  test('does it once, and closes', () => {
    render(<ToastHost />)
    const run = vi.fn<() => void>()
    show({ message: 'Done', action: { label: 'Undo', run } })
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(run).toHaveBeenCalledTimes(1)
    expect(isShown('Done')).toBe(false)
  })

  test('stays longer: it takes a while to reach', () => {
    render(<ToastHost />)
    show({ message: 'Done', action: { label: 'Undo', run: () => {} } })
    pass(9999)
    expect(isShown('Done')).toBe(true)
    pass(1)
    expect(isShown('Done')).toBe(false)
  })

  test('F6 leads to what a toast offers, and back to where one was', () => {
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

  test('is never made by an address or by the state of a navigation', () => {
    const toast = { message: 'Hello', action: { label: 'Undo', run: 'x' } }
    const query = new URLSearchParams({ toast: JSON.stringify(toast) })
    expect(fromQuery(query).toast).not.toHaveProperty('action')
    expect(fromState({ toast }).toast).not.toHaveProperty('action')
  })
})

describe('when a toast hides', () => {
  test('[TOAST-03] from the helper: after 4000 ms', () => {
    render(<ToastHost />)
    show({ message: 'Hello' })
    pass(3999)
    expect(isShown('Hello')).toBe(true)
    pass(1)
    expect(isShown('Hello')).toBe(false)
  })

  test('[TOAST-03] in the component, when nobody names a delay: after 5000 ms', () => {
    const onClose = vi.fn<(id: string) => void>()
    render(<ToastCard id="1" message="Hello" onClose={onClose} />)
    pass(4999)
    expect(onClose).not.toHaveBeenCalled()
    pass(1)
    expect(onClose).toHaveBeenCalledWith('1')
  })

  test('[TOAST-03] after its own delay', () => {
    render(<ToastHost />)
    show({ message: 'Hello', delay: 1500 })
    pass(1499)
    expect(isShown('Hello')).toBe(true)
    pass(1)
    expect(isShown('Hello')).toBe(false)
  })

  test('[TOAST-03] it pauses while hovered and then takes the time that was left', () => {
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

  test('[TOAST-03] it pauses while focused', () => {
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

  test('[TOAST-03] the mouse that leaves does not end the pause of a toast that has the focus', () => {
    render(<ToastHost />)
    show({ message: 'Hello' })
    act(() => screen.getByRole('button', { name: 'Close' }).focus())
    fireEvent.mouseEnter(card('Hello'))
    fireEvent.mouseLeave(card('Hello'))
    pass(60_000)
    expect(isShown('Hello')).toBe(true)
  })

  test('[TOAST-03] a toast that another one follows keeps its own time', () => {
    render(<ToastHost />)
    show({ message: 'First' })
    pass(3000)
    show({ message: 'Second' })
    pass(1000)
    expect(isShown('First')).toBe(false)
    expect(isShown('Second')).toBe(true)
  })
})
