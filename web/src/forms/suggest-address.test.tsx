import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { RecordForm } from './record-form.tsx'
import { toAddress } from './suggest-address.ts'

afterEach(cleanup)

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text' },
  { name: 'slug', label: 'Slug', type: 'text', maxLength: 20 },
]
const open = (typed?: Record<string, string>) =>
  render(
    <MemoryRouter>
      <RecordForm
        fields={FIELDS}
        suggestion={{ from: 'title', to: 'slug' }}
        {...(typed ? { typed: { values: typed, labels: {} } } : {})}
        saveLabel="Save"
        cancel={null}
        onSave={async () => undefined}
      />
    </MemoryRouter>,
  )
const title = () => screen.getByLabelText('Title')
const slug = () => screen.getByLabelText<HTMLInputElement>('Slug').value

test('a new record’s slug follows its title until it is edited', async () => {
  open()
  await userEvent.type(title(), 'Fünf Wörter')
  expect(slug()).toBe('funf-worter')
  await userEvent.type(title(), ' mehr')
  expect(slug()).toBe('funf-worter-mehr')
  await userEvent.type(screen.getByLabelText('Slug'), '-x')
  await userEvent.type(title(), ' noch')
  expect(slug()).toBe('funf-worter-mehr-x')
})

test('an emptied slug stays empty', async () => {
  open()
  await userEvent.type(title(), 'One')
  await userEvent.clear(screen.getByLabelText('Slug'))
  await userEvent.type(title(), ' two')
  expect(slug()).toBe('')
})

test('after a reload, an edited slug stays and a suggested one follows the title', async () => {
  open({ title: 'One', slug: 'mine' })
  await userEvent.type(title(), ' two')
  expect(slug()).toBe('mine')
  cleanup()
  open({ title: 'One', slug: 'one' })
  await userEvent.type(title(), ' two')
  expect(slug()).toBe('one-two')
})

test.each([
  ['What’s new? 50 % off!', 'whats-new-50-off'],
  ['  Œuvre & Straße Łódź ', 'oeuvre-strasse-lodz'],
  ['ﬁle', 'file'],
  ['عنوان', ''],
  ['Create', ''],
])('the title "%s" suggests the slug "%s"', (given, suggested) => {
  expect(toAddress(given)).toBe(suggested)
})

test('a suggested slug ends with a whole word, or is cut', () => {
  expect(toAddress('one two three', 9)).toBe('one-two')
  expect(toAddress('abcdefghij', 4)).toBe('abcd')
})
