import { FIELD_TYPES } from '@gatehouse/model'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { clearFeedback, renderSite, stubServer } from '../../test/kit.tsx'
import { RecordForm } from './record-form.tsx'
import type { FormField } from '#forms/inputs/values.ts'

afterEach(clearFeedback)

function open(fields: FormField[], record?: Record<string, unknown>) {
  const onSave = vi.fn<(body: Record<string, unknown>) => Promise<undefined>>()
  render(
    <MemoryRouter>
      <RecordForm
        fields={fields}
        {...(record ? { record } : {})}
        saveLabel="Save"
        cancel={null}
        onSave={onSave}
      />
    </MemoryRouter>,
  )
  return onSave
}
const one = (type: string, over: Partial<FormField> = {}): FormField => ({
  name: 'it',
  label: 'It',
  type,
  ...over,
})
const input = () => screen.getByLabelText<HTMLInputElement>(/^It(?!:)/)
async function saved(onSave: ReturnType<typeof open>) {
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onSave).toHaveBeenCalled())
  return onSave.mock.lastCall?.[0]
}

describe('an input per type', () => {
  test.each([
    ['text', 'INPUT text'],
    ['textarea', 'TEXTAREA textarea'],
    ['markdown', 'TEXTAREA textarea'],
    ['email', 'INPUT email'],
    ['tel', 'INPUT tel'],
    ['url', 'INPUT url'],
    ['integer', 'INPUT text'],
    ['decimal', 'INPUT text'],
    ['boolean', 'INPUT checkbox'],
    ['date', 'INPUT date'],
    ['datetime', 'INPUT datetime-local'],
    ['select', 'INPUT text'],
    ['number', 'INPUT number'],
    ['range', 'INPUT range'],
    ['checkbox', 'INPUT checkbox'],
    ['bool', 'INPUT checkbox'],
    ['string', 'INPUT text'],
    ['password', 'INPUT password'],
    ['time', 'INPUT time'],
    ['month', 'INPUT month'],
    ['week', 'INPUT week'],
    ['search', 'INPUT search'],
    ['color', 'INPUT color'],
    ['datetime-local', 'INPUT datetime-local'],
    ['Number', 'INPUT number'],
    ['relation', 'INPUT text'],
    ['colour', 'INPUT text'],
    ['', 'INPUT text'],
  ])('[DYN-07] a field of type %s has the input %s', (type, expected) => {
    open([one(type)])
    expect(`${input().tagName} ${input().type}`).toBe(expected)
  })

  test('[DYN-07] options are shown as a list or radio buttons', () => {
    const options = [{ value: 'a', label: 'Alpha' }, { value: 'b' }]
    open([one('select', { options })])
    expect(input().type).toBe('select-one')
    cleanup()
    open([one('radio', { options })])
    const group = within(screen.getByRole('radiogroup', { name: /It/ }))
    expect(group.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual(
      ['Alpha', 'b'],
    )
  })

  test('[DYN-07] a hidden field is sent and not shown, with the type of its default', async () => {
    const onSave = open([
      one('hidden', { default: 5 }),
      { ...one('text'), name: 'other', label: 'Other' },
    ])
    expect(screen.queryByText('It')).toBeNull()
    expect(await saved(onSave)).toEqual({ it: 5, other: null })
  })

  test('[DYN-07] a multiselect has a checkbox per option, in a named group', () => {
    open([one('multiselect', { options: [{ value: 'a', label: 'Alpha' }, { value: 'b' }] })])
    expect(screen.getByRole('group', { name: /It/ })).toBeDefined()
    expect(screen.getAllByRole('checkbox').map((box) => box.closest('label')?.textContent)).toEqual(
      ['Alpha', 'b'],
    )
  })

  test.each([['{ fields }'], ['an array']])('[DYN-07] form metadata may be %s', async (shape) => {
    const fields = [one('text', { default: 'Hello' })]
    stubServer({ 'GET /api/a/form-metadata': shape === 'an array' ? fields : { fields } })
    await renderSite({ path: 'a' }, '/a/create')
    await screen.findByRole('button', { name: 'Create' })
    expect(input().value).toBe('Hello')
  })
})

describe('defaults', () => {
  test.each<[string, unknown, unknown]>([
    ['text', 'Hello', 'Hello'],
    ['integer', 0, 0],
    ['decimal', 1.5, 1.5],
    ['boolean', true, true],
    ['boolean', false, false],
    ['date', '2026-02-03', '2026-02-03'],
    ['select', 'a', 'a'],
    ['multiselect', ['a'], ['a']],
    ['colour', 'red', 'red'],
    ['color', '#ff0000', '#ff0000'],
    ['range', 30, 30],
    ['range', '30', 30],
    ['password', 'changeit', 'changeit'],
  ])('[DYN-07] a %s default of %j fills the form and is sent', async (type, given, expected) => {
    const onSave = open([one(type, { default: given, options: [{ value: 'a' }, { value: 'b' }] })])
    expect(await saved(onSave)).toEqual({ it: expected })
  })

  test('[DYN-07] a field without a default has an empty input, and sends null', async () => {
    const types = Object.keys(FIELD_TYPES)
    const onSave = open(types.map((type) => ({ name: type, label: type, type, default: null })))
    expect(await saved(onSave)).toEqual({
      ...Object.fromEntries(types.map((type) => [type, null])),
      boolean: false,
      multiselect: [],
    })
  })
})

/** Stored values that an input can't show unchanged. */
const stored: Record<string, unknown> = {
  text: ' two  spaces ',
  textarea: 'a\r\nb\r\n',
  markdown: '# a\r\n\r\n* b',
  email: 'A@B.test ',
  tel: '+353 1',
  url: 'https://a.test/?q=ü',
  integer: 7,
  decimal: 1.005,
  boolean: null,
  date: '2026-02-03T00:00:00.000Z',
  datetime: '2026-02-03T04:05:06.789Z',
  select: 'retired option',
  multiselect: ['b', 'x', 'a'],
  relation: 'id-of-something',
  colour: { r: 1 },
}

describe('opening and saving unchanged', () => {
  const fields: FormField[] = Object.keys(stored).map((type) => ({
    name: type,
    label: type,
    type,
    required: type !== 'boolean',
    ...(type === 'select' || type === 'multiselect'
      ? { options: [{ value: 'a' }, { value: 'b' }] }
      : {}),
    ...(type === 'relation' ? { to: 'people' } : {}),
  }))

  test('[DYN-07] a form saved unchanged sends every stored value unchanged', async () => {
    stubServer({ 'GET /api/people': { items: [] } })
    expect(await saved(open(fields, stored))).toEqual(stored)
  })

  test('[DYN-07] a stored option that is no longer offered is still shown', async () => {
    stubServer({ 'GET /api/people': { items: [] } })
    open(fields, stored)
    expect(screen.getByLabelText<HTMLSelectElement>(/^select/).value).toBe('retired option')
    // Lazy-loaded, unless an earlier test has loaded it.
    const picker = await screen.findByRole<HTMLInputElement>('combobox', { name: /^relation/ })
    expect(picker.value).toBe('id-of-something')
  })

  test('[DYN-07] changing one field leaves the others as they are stored', async () => {
    stubServer({ 'GET /api/people': { items: [] } })
    const onSave = open(fields, stored)
    await userEvent.type(screen.getByLabelText(/^text$/), '!')
    expect(await saved(onSave)).toEqual({ ...stored, text: `${String(stored['text'])}!` })
  })
})

describe('values in another server’s format', () => {
  const OTHERS: [type: string, stored: unknown, shown: string][] = [
    ['color', '#00FF00', '#00ff00'],
    ['color', 'no colour', '#000000'],
    ['range', 20, '20'],
    ['range', 250, '100'],
    ['number', '12', '12'],
    ['number', '12.50', '12.50'],
    ['number', 'a dozen', ''],
    ['integer', '7', '7'],
    ['week', '2026-W10', '2026-W10'],
    ['month', '2026-05-01T00:00:00Z', '2026-05'],
    ['time', '03:04:05.123456', '03:04:05.123'],
    ['time', '0001-01-01T03:04:05', '03:04:05'],
    ['datetime-local', '2026-01-02T03:04:05', '2026-01-02T03:04:05'],
    ['datetime-local', '2026-01-02T03:04:05.123456', '2026-01-02T03:04:05.123'],
    ['date', '2026-01-02 00:00:00', '2026-01-02'],
    ['date', 'next week', ''],
    ['textarea', 'a\r\nb', 'a\nb'],
  ]

  test.each(OTHERS)(
    '[DYN-07] %s value %j is shown, and sent back unchanged even after the input was focused',
    async (type, value, shown) => {
      const onSave = open([one('text', { name: 'other', label: 'Other' }), one(type)], {
        other: 'a',
        it: value,
      })
      expect(input().value).toBe(shown)
      await userEvent.click(input())
      await userEvent.type(screen.getByLabelText('Other'), 'b')
      expect(screen.getByText('1 unsaved change')).toBeTruthy()
      expect(await saved(onSave)).toEqual({ other: 'ab', it: value })
    },
  )

  test.each<[string, unknown]>([
    ['checkbox', 'true'],
    ['checkbox', 'True'],
    ['checkbox', 1],
    ['checkbox', 'on'],
    ['bool', true],
  ])('[DYN-07] %s value %j is shown as ticked, and sent back unchanged', async (type, value) => {
    const onSave = open([one(type)], { it: value })
    expect(input().checked).toBe(true)
    expect(await saved(onSave)).toEqual({ it: value })
  })

  test.each<[string, unknown]>([
    ['text', null],
    ['color', '#000000'],
    ['range', 50],
    ['checkbox', false],
    ['select', null],
    ['hidden', null],
  ])(
    '[DYN-07] [API-05] a %s field missing from the record is sent as the form shows it: %j',
    async (type, shown) => {
      const onSave = open([one('text', { name: 'other', label: 'Other' }), one(type)], {
        other: 'a',
      })
      await userEvent.type(screen.getByLabelText('Other'), 'b')
      expect(await saved(onSave)).toEqual({ other: 'ab', it: shown })
    },
  )
})

describe('multiselects', () => {
  const tick = (name: string) => userEvent.click(screen.getByRole('checkbox', { name }))
  const add = async (words: string) => {
    const box = screen.getByRole('textbox', { name: 'Add to It' })
    await userEvent.type(box, `${words}{Enter}`)
  }

  test.each([1, 2, 3])(
    '[DYN-07] a multiselect with %i options sends the ticked ones',
    async (count) => {
      const options = ['a', 'b', 'c'].slice(0, count).map((value) => ({ value }))
      const onSave = open([one('multiselect', { options })], { it: [] })
      await tick('a')
      expect(await saved(onSave)).toEqual({ it: ['a'] })
      await tick('a')
      expect(await saved(onSave)).toEqual({ it: [] })
    },
  )

  test.each([1, 2, 3])(
    '[DYN-07] a multiselect with %i options is sent back unchanged',
    async (count) => {
      const options = ['a', 'b', 'c'].slice(0, count).map((value) => ({ value }))
      expect(await saved(open([one('multiselect', { options })], { it: ['a'] }))).toEqual({
        it: ['a'],
      })
    },
  )

  test('[DYN-07] a free multiselect adds several comma-separated words, each once', async () => {
    const onSave = open([one('multiselect', { free: true })], { it: [] })
    await add('new, old ,, new')
    expect(await saved(onSave)).toEqual({ it: ['new', 'old'] })
    await add('old, more')
    await userEvent.click(screen.getByRole('button', { name: 'Remove new' }))
    expect(await saved(onSave)).toEqual({ it: ['old', 'more'] })
  })

  test('[DYN-07] a free multiselect sends a single word as a list', async () => {
    const onSave = open([one('multiselect', { free: true })], { it: [] })
    await add('new')
    expect(await saved(onSave)).toEqual({ it: ['new'] })
  })

  test('[DYN-08] a required multiselect reports that it is empty', async () => {
    const onSave = open([one('multiselect', { required: true, options: [{ value: 'a' }] })])
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Your changes weren’t saved.  1 field needs fixing: It.',
    )
    expect(screen.getByRole('group', { name: /It/ }).getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('It is required.')).toBeDefined()
    expect(onSave).not.toHaveBeenCalled()
  })
})

describe('hints of a field', () => {
  test('[DYN-07] a field shows its unit, help, and whether it is optional', () => {
    open([one('integer', { unit: 'h', help: 'Whole hours', required: false })])
    expect(input().labels?.[0]?.textContent).toBe('It (h) (optional)')
    expect(
      document.getElementById(input().getAttribute('aria-describedby') ?? '')?.textContent,
    ).toBe('Whole hours')
  })

  test.each<[Partial<FormField>, string]>([
    [{ min: 0, max: 10, step: 0.5 }, 'From 0 to 10, in steps of 0.5.'],
    [{ min: 1 }, 'At least 1.'],
    [{ max: 9, step: 1 }, 'At most 9.'],
    [{ step: 5 }, 'In steps of 5.'],
  ])('[DYN-07] a number field shows its range: %j', (limits, words) => {
    open([one('decimal', limits)])
    expect(screen.getByText(words)).toBeDefined()
  })

  test('[DYN-07] a datetime field shows the reader’s time zone', () => {
    open([one('datetime')])
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    expect(screen.getByText(new RegExp(`Your time zone: ${timeZone}`))).toBeDefined()
  })

  test('[DYN-07] a long text shows the characters left only near its limit', async () => {
    open([one('textarea', { maxLength: 20 })])
    await userEvent.type(input(), 'seventeen letters')
    expect(document.querySelector('.counter')?.textContent).toBe('')
    await userEvent.type(input(), '..')
    expect(document.querySelector('.counter')?.textContent).toBe('1 character left')
    await userEvent.type(input(), '...')
    expect(document.querySelector('.counter')?.textContent).toBe('2 characters too many')
  })

  test('[DYN-07] a markdown field has a preview, and keeps its text afterwards', async () => {
    const onSave = open([one('markdown', { default: '# Hello' })])
    await userEvent.click(await screen.findByRole('tab', { name: 'Preview' }))
    expect(await screen.findByRole('heading', { name: 'Hello' })).toBeDefined()
    await userEvent.keyboard('{ArrowLeft}')
    expect(screen.getByRole('tab', { name: 'Write', selected: true })).toBe(document.activeElement)
    await userEvent.type(input(), '!')
    expect(await saved(onSave)).toEqual({ it: '# Hello!' })
  })

  test('[DYN-07] a boolean is a switch', async () => {
    const onSave = open([one('boolean')])
    await userEvent.click(screen.getByRole('switch', { name: 'It' }))
    expect(await saved(onSave)).toEqual({ it: true })
  })

  test('a form’s footer counts unsaved changes', async () => {
    open([one('text'), { name: 'on', label: 'On', type: 'boolean' }], { it: 'a', on: false })
    expect(screen.queryByText(/unsaved/)).toBeNull()
    await userEvent.type(input(), 'b')
    expect(screen.getByText('1 unsaved change')).toBeDefined()
    await userEvent.click(screen.getByRole('switch'))
    expect(screen.getByText('2 unsaved changes')).toBeDefined()
    await userEvent.type(input(), '{Backspace}')
    expect(screen.getByText('1 unsaved change')).toBeDefined()
  })

  test.each(['Control', 'Meta'])('%s+S saves the form', async (key) => {
    const onSave = open([one('text')], { it: 'a' })
    await userEvent.keyboard(`{${key}>}s{/${key}}`)
    await waitFor(() => expect(onSave).toHaveBeenCalledTimes(1))
  })
})
