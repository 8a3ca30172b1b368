import type { FileLabel } from '@gatehouse/model'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubServer } from '../../test/kit.tsx'
import { stagedFile } from '../../test/upload-stub.ts'
import { FileList } from './file-list.tsx'
import type { FileLink } from './load-file-links.ts'

const LINKS = 'POST /api/tickets/1/file-links'
const pictureFile = (name: string): FileLabel => ({ ...stagedFile(name), type: 'image/png' })
const [FLOOR, PLAN, RACK, LOG] = [
  pictureFile('floor.png'),
  pictureFile('plan.png'),
  pictureFile('rack.png'),
  stagedFile('switch.log'),
] as const

const linkOf = ({ id }: FileLabel, hasPreviews = true): FileLink => ({
  id,
  url: `/api/files/${id}?until=1`,
  ...(hasPreviews
    ? { previews: { small: `/small/${id}?until=1`, large: `/large/${id}?until=1` } }
    : {}),
})

const answerOf = (...items: FileLink[]) => ({ items, seconds: 60 })

let items: FileLink[]
let calls: ReturnType<typeof stubServer>
beforeEach(() => {
  items = [FLOOR, PLAN, RACK].map((file) => linkOf(file)).concat(linkOf(LOG, false))
  calls = stubServer({ [LINKS]: () => answerOf(...items) })
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

function show(files: FileLabel[] = [FLOOR, LOG, PLAN, RACK]) {
  render(<FileList record="tickets/1" label="Files" files={files} />)
}

const chip = (name: string) => screen.getByRole('button', { name: new RegExp(name) })
const small = (name: string) => chip(name).querySelector('img')?.getAttribute('src') ?? null
const dialog = (name: string) => screen.findByRole('dialog', { name })
const shownSource = () => within(screen.getByRole('dialog')).getByRole('img').getAttribute('src')

test('pictures of a list show their small previews, by one request, and other files the icon', async () => {
  show()
  await waitFor(() => expect(small('floor.png')).toBe(`/small/${FLOOR.id}?until=1`))
  expect(small('plan.png')).not.toBeNull()
  expect(small('switch.log')).toBeNull()
  expect(calls).toHaveLength(1)
})

test('a list without pictures asks for no links', async () => {
  show([LOG, { ...FLOOR, state: 'unchecked' }])
  await Promise.resolve()
  expect(calls).toHaveLength(0)
})

test('a picture without a preview shows the icon, and its preview once it is made', async () => {
  vi.useFakeTimers()
  const made = items
  items = [linkOf(FLOOR), linkOf(PLAN, false)]
  show([FLOOR, PLAN])
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(small('plan.png')).toBeNull()
  const before = small('floor.png')
  items = made.map((link) => ({
    ...link,
    previews: { small: `/small/${link.id}?until=2`, large: '' },
  }))
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  expect(small('plan.png')).toBe(`/small/${PLAN.id}?until=2`)
  // Not loaded again.
  expect(small('floor.png')).toBe(before)
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(calls).toHaveLength(2)
})

test('a preview that can’t be loaded gives way to the icon', async () => {
  show()
  await waitFor(() => expect(small('floor.png')).not.toBeNull())
  fireEvent.error(chip('floor.png').querySelector('img') as Element)
  expect(small('floor.png')).toBeNull()
})

test('a picture opens in a dialog, its arrow keys go through the pictures alone, and Escape returns the focus', async () => {
  show()
  chip('plan.png').focus()
  await userEvent.keyboard('{Enter}')
  await dialog('plan.png')
  expect(shownSource()).toBe(`/large/${PLAN.id}?until=1`)
  expect(screen.getByRole('status').textContent).toBe('plan.png, 2 of 3')
  await userEvent.keyboard('{ArrowRight}')
  await dialog('rack.png')
  expect(shownSource()).toBe(`/large/${RACK.id}?until=1`)
  await userEvent.keyboard('{ArrowRight}')
  await dialog('rack.png')
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}')
  await dialog('floor.png')
  expect(screen.getByRole('status').textContent).toBe('floor.png, 1 of 3')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(chip('plan.png'))
})

test('the dialog has buttons for the next and previous picture, and links to the original', async () => {
  show()
  await userEvent.click(chip('floor.png'))
  await dialog('floor.png')
  const next = screen.getByRole('button', { name: 'Next picture' })
  const previous = screen.getByRole('button', { name: 'Previous picture' })
  expect(previous.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(next)
  await dialog('plan.png')
  expect(document.activeElement).toBe(next)
  const original = screen.getByRole('link', { name: 'Open original' })
  expect(original.getAttribute('href')).toBe(`/api/files/${PLAN.id}?until=1`)
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('download')).toBe('plan.png')
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('while a picture is open its links are renewed, and the picture is not loaded again', async () => {
  show()
  await userEvent.click(chip('floor.png'))
  await dialog('floor.png')
  vi.useFakeTimers()
  cleanup()
  show()
  fireEvent.click(chip('floor.png'))
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  const before = shownSource()
  items = items.map((link) => ({ ...link, url: link.url.replace('until=1', 'until=2') }))
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(screen.getByRole('link', { name: 'Open original' }).getAttribute('href')).toMatch(/=2$/)
  expect(shownSource()).toBe(before)
})

test('without a large preview, or if it can’t be loaded, the dialog shows the original', async () => {
  items = [linkOf(FLOOR, false), linkOf(PLAN)]
  show([FLOOR, PLAN])
  await userEvent.click(chip('floor.png'))
  await dialog('floor.png')
  expect(shownSource()).toBe(`/api/files/${FLOOR.id}?until=1`)
  await userEvent.keyboard('{ArrowRight}')
  await dialog('plan.png')
  fireEvent.error(within(screen.getByRole('dialog')).getByRole('img'))
  expect(shownSource()).toBe(`/api/files/${PLAN.id}?until=1`)
  fireEvent.error(within(screen.getByRole('dialog')).getByRole('img'))
  expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).toBe(
    'The file couldn’t be opened. Try again.',
  )
})

test('a picture that is alone has no buttons for others', async () => {
  items = [linkOf(FLOOR)]
  show([FLOOR, LOG])
  await userEvent.click(chip('floor.png'))
  await dialog('floor.png')
  expect(screen.queryByRole('button', { name: 'Next picture' })).toBeNull()
  expect(screen.queryByRole('status')).toBeNull()
})
