import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearFeedback } from '../../test/kit.tsx'
import { closeModal, ModalHost, showModal } from './modals.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(clearFeedback)

const show = (content: Parameters<typeof showModal>[0]) => act(() => showModal(content))
const close = () => act(() => closeModal())
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })
const classOf = (size: string) => document.querySelector(`.modal-dialog.modal-${size}`)
/** The dialog's text, even while it fades out and is hidden from assistive technology. */
const text = () => document.querySelector('.modal-message')?.textContent

test('[MODAL-01] a modal opens immediately, named by its title', () => {
  render(<ModalHost />)
  expect(screen.queryByRole('dialog')).toBeNull()
  show({ title: 'Authentication Required', body: 'Sign in first.' })
  expect(screen.getByRole('dialog', { name: 'Authentication Required' })).toBeDefined()
  expect(text()).toBe('Sign in first.')
})

test('[MODAL-01] a modal’s content is cleared 300 ms after closing, not before', () => {
  render(
    <>
      {/* A longer fade than the delay after which the content is cleared. */}
      <style>{'.modal { transition-duration: 900ms }'}</style>
      <ModalHost />
    </>,
  )
  show({ title: 'Title', body: 'Some text' })
  pass(1000)
  close()
  pass(299)
  expect(text()).toBe('Some text')
  pass(1)
  expect(text()).toBe('')
  pass(1000)
  expect(text()).toBeUndefined()
})

test('[MODAL-01] a modal’s default size is md; sm and lg set a class', () => {
  render(<ModalHost />)
  show({ title: 'Title', body: 'Text' })
  expect(document.querySelector('.modal-dialog')).not.toBeNull()
  expect([classOf('sm'), classOf('lg'), classOf('xl')]).toEqual([null, null, null])
  show({ title: 'Title', body: 'Text', size: 'lg' })
  expect(classOf('lg')).not.toBeNull()
  show({ title: 'Title', body: 'Text', size: 'sm' })
  expect(classOf('sm')).not.toBeNull()
})

test('[MODAL-01] its own button and Escape close a modal', () => {
  render(<ModalHost />)
  show({ title: 'Title', body: 'Text' })
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  pass(1000)
  expect(screen.queryByRole('dialog')).toBeNull()
  show({ title: 'Title', body: 'Text' })
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape', code: 'Escape', keyCode: 27 })
  pass(1000)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('[MODAL-01] a modal opened while another fades out remains open', () => {
  render(<ModalHost />)
  show({ title: 'First', body: 'Text' })
  close()
  pass(100)
  close()
  pass(100)
  show({ title: 'Second', body: 'More' })
  pass(10_000)
  expect(screen.getByRole('dialog', { name: 'Second' })).toBeDefined()
  expect(text()).toBe('More')
})

test('[MODAL-01] the focus moves into the modal and returns to where it was', () => {
  render(
    <>
      <button type="button">Open</button>
      <ModalHost />
    </>,
  )
  const opener = screen.getByRole('button', { name: 'Open' })
  opener.focus()
  show({ title: 'Title', body: 'Text' })
  pass(1000)
  expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true)
  close()
  pass(1000)
  expect(document.activeElement).toBe(opener)
})

test('[LAY-05] a modal shows markup as text', () => {
  render(<ModalHost />)
  show({ title: '<i>Title</i>', body: '<script>alert(1)</script>' })
  expect(screen.getByRole('dialog', { name: '<i>Title</i>' })).toBeDefined()
  expect(text()).toBe('<script>alert(1)</script>')
})
