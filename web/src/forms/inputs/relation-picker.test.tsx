import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { requestsIn, clearFeedback, stubServer } from '../../../test/kit.tsx'
import { loadDefinitions } from '#data/definitions.ts'
import { RecordForm } from '#forms/record-form.tsx'

const people = {
  name: 'Person',
  path: 'people',
  routeName: 'People-List',
  viewData: {
    title: 'People',
    displayField: 'fullName',
    fields: [{ name: 'fullName', label: 'Name', type: 'text' }],
  },
}
const page = (names: string[], next: string | null = null) => ({
  items: names.map((fullName) => ({ id: `id-${fullName}`, fullName })),
  next,
})

beforeEach(async () => {
  sessionStorage.setItem('dynamicRoutes', JSON.stringify([people]))
  await loadDefinitions([])
})
afterEach(clearFeedback)

async function open(record?: Record<string, unknown>, isRequired = false) {
  const onSave = vi.fn<(body: Record<string, unknown>) => Promise<undefined>>()
  render(
    <MemoryRouter>
      <RecordForm
        fields={[{ name: 'it', label: 'It', type: 'relation', to: 'people', required: isRequired }]}
        {...(record ? { record } : {})}
        saveLabel="Save"
        cancel={null}
        onSave={onSave}
      />
    </MemoryRouter>,
  )
  return { onSave, line: await screen.findByRole<HTMLInputElement>('combobox') }
}
const options = () => screen.queryAllByRole('option').map((option) => option.textContent)
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))

test('a superseded search for related records is aborted', async () => {
  const searches: { url: string; signal: AbortSignal }[] = []
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
    searches.push({ url, signal })
    return url.includes('q=') ? new Promise(() => {}) : Promise.resolve(Response.json(page([])))
  })
  const { line } = await open()
  await userEvent.type(line, 'Ada')
  await waitFor(() => expect(searches.at(-1)?.url).toContain('q=Ada'))
  await userEvent.type(line, ' B')
  await waitFor(() => expect(searches.at(-1)?.url).toContain('q=Ada+B'))
  expect(searches.map(({ signal }) => signal.aborted)).toEqual(
    searches.map((_, place) => place < searches.length - 1),
  )
})

describe('the relation picker', () => {
  test('[DYN-07] the relation picker opens with the first page, and sends the chosen record’s id', async () => {
    const calls = stubServer({ 'GET /api/People-List': page(['Ada', 'Bob']) })
    const { onSave, line } = await open()
    await userEvent.click(line)
    await waitFor(() => expect(options()).toEqual(['Ada', 'Bob']))
    expect(requestsIn(calls)).toEqual(['GET /api/People-List?limit=20&total=none'])
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    expect(line.value).toBe('Bob')
    await save()
    expect(onSave.mock.lastCall?.[0]).toEqual({ it: 'id-Bob' })
  })

  test('[DYN-07] a stored relation shows its label, even if no result contains it, and is kept if nothing is picked', async () => {
    stubServer({ 'GET /api/People-List': page(['Ada']) })
    const { onSave, line } = await open({ it: 'id-Zoe', labels: { it: 'Zoe' } })
    expect(line.value).toBe('Zoe')
    await userEvent.type(line, 'xyz')
    await userEvent.tab()
    expect(line.value).toBe('Zoe')
    expect(screen.getByRole('link', { name: 'Open Zoe' }).getAttribute('href')).toBe(
      '/people/id-Zoe',
    )
    await save()
    expect(onSave.mock.lastCall?.[0]).toEqual({ it: 'id-Zoe' })
  })

  test('the relation picker filters by prefix for one or two characters, and searches for three or more', async () => {
    const calls = stubServer({ 'GET /api/People-List': page([]) })
    const { line } = await open()
    await userEvent.type(line, 'Ad')
    const begins = encodeURIComponent('{"all":[["fullName","startsWith","Ad"]]}')
    await waitFor(() =>
      expect(requestsIn(calls).at(-1)?.replaceAll('%22', '"')).toContain(
        begins.replaceAll('%22', '"'),
      ),
    )
    await userEvent.type(line, 'a')
    await waitFor(() =>
      expect(requestsIn(calls).at(-1)).toBe('GET /api/People-List?limit=20&total=none&q=Ada'),
    )
    expect(await screen.findByText('No matches.', { selector: 'p' })).toBeDefined()
  })

  test('the relation picker loads more records page by page', async () => {
    const calls = stubServer({
      'GET /api/People-List': page(['Ada'], 'cursor-1'),
      'GET /api/People-List?limit=20&total=none&after=cursor-1': page(['Bob']),
    })
    const { line } = await open()
    await userEvent.click(line)
    await userEvent.click(await screen.findByRole('option', { name: 'Load more' }))
    await waitFor(() => expect(options()).toEqual(['Ada', 'Bob']))
    expect(calls).toHaveLength(2)
  })

  test('the relation picker ignores a stale response', async () => {
    let release = () => {}
    const late = new Promise<void>((resolve) => (release = resolve))
    stubServer({
      'GET /api/People-List?limit=20&total=none': async () => {
        await late
        return page(['Too late'])
      },
      'GET /api/People-List?limit=20&total=none&q=Ada': page(['Ada']),
    })
    const { line } = await open()
    await userEvent.click(line)
    await userEvent.type(line, 'Ada')
    await waitFor(() => expect(options()).toEqual(['Ada']))
    release()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(options()).toEqual(['Ada'])
  })

  test('the relation picker reports a failed search', async () => {
    stubServer({ 'GET /api/People-List': new Response(null, { status: 503 }) })
    const { line } = await open()
    await userEvent.click(line)
    expect(
      await screen.findByText('Couldn’t load the options. Try again.', { selector: 'p' }),
    ).toBeDefined()
  })

  test('an optional relation can be cleared, a required one can’t', async () => {
    stubServer({})
    const { onSave } = await open({ it: 'id-Zoe', labels: { it: 'Zoe' } })
    await userEvent.click(screen.getByRole('button', { name: 'Clear It' }))
    await save()
    expect(onSave.mock.lastCall?.[0]).toEqual({ it: null })
    clearFeedback()
    stubServer({})
    await open({ it: 'id-Zoe', labels: { it: 'Zoe' } }, true)
    expect(screen.queryByRole('button', { name: 'Clear It' })).toBeNull()
  })

  test('Escape closes the relation picker’s list and keeps the chosen record', async () => {
    stubServer({ 'GET /api/People-List': page(['Ada']) })
    const { line } = await open({ it: 'id-Zoe', labels: { it: 'Zoe' } })
    await userEvent.click(line)
    expect(within(screen.getByRole('listbox')).queryAllByRole('option')).toBeDefined()
    await userEvent.keyboard('{Escape}')
    expect(line.getAttribute('aria-expanded')).toBe('false')
    expect(line.value).toBe('Zoe')
  })
})
