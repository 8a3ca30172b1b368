import { render, screen, waitFor } from '@testing-library/react'
import { createElement } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { requestsIn, clearFeedback, define, signInAs, stubServer } from '../../test/kit.tsx'
import { ToastHost } from '#feedback/toasts.tsx'
import { mutate } from './mutate.ts'

afterEach(clearFeedback)

const fields = ['a', 'b'].map((name) => ({ name, label: name.toUpperCase(), type: 'text' }))
const stale = (current: object) => Response.json({ detail: 'Changed', current }, { status: 412 })

describe('a write', () => {
  test('a write requested again while pending is sent once', async () => {
    const calls = stubServer({ 'POST /api/things': { id: 1 } })
    const once = { path: 'things', body: { a: 1 } }
    const [first, second] = await Promise.all([mutate(once), mutate({ ...once })])
    expect(second).toBe(first)
    expect(calls).toHaveLength(1)
  })

  test('a write keeps its idempotency key until it succeeds; other content gets another key', async () => {
    const answers: Record<string, unknown> = { 'POST /api/things': new TypeError('gone') }
    const calls = stubServer(answers)
    const write = { path: 'things', body: { a: 2 } }
    expect(await mutate(write)).toMatchObject({ kind: 'failed', status: 0 })
    answers['POST /api/things'] = { id: 1 }
    await mutate(write)
    await mutate(write)
    await mutate({ path: 'things', body: { a: 3 } })
    const [lost, arrived, again, other] = calls.map(({ headers }) => headers.get('idempotency-key'))
    expect(arrived).toBe(lost)
    expect(new Set([lost, again, other]).size).toBe(3)
  })

  test('a write merges changes to other fields, and reports a conflict on the same field', async () => {
    const answers: Record<string, unknown> = {
      'PUT /api/things/1': ({ headers }: { headers: Headers }) =>
        headers.get('if-match') === '"1"'
          ? stale({ a: 'old', b: 'theirs', version: 2 })
          : Response.json({ version: 3 }),
    }
    const calls = stubServer(answers)
    const write = {
      method: 'PUT',
      path: 'things/1',
      body: { a: 'mine', b: 'old' },
      etag: '"1"',
      merge: { record: { a: 'old', b: 'old' }, fields },
    } as const
    expect(await mutate(write)).toMatchObject({ kind: 'saved', theirs: [{ name: 'b' }] })
    expect(calls[1]?.body).toEqual({ a: 'mine', b: 'theirs' })
    answers['PUT /api/things/1'] = stale({ a: 'theirs', b: 'old', version: 4 })
    expect(await mutate(write)).toMatchObject({
      kind: 'conflict',
      base: { etag: '"4"' },
      merge: { clashes: [{ mine: 'mine', theirs: 'theirs' }] },
    })
  })

  test('a write can be undone from its toast by users with the right', async () => {
    await signInAs('admin')
    const calls = stubServer({
      'POST /api/things': Response.json({ id: 1 }, { headers: { 'operation-id': 'o-1' } }),
      'POST /api/operations/o-1/undo': {},
    })
    const definition = define({ path: 'things', trash: true, authorise: { delete: true } })
    let undone = 0
    render(createElement(ToastHost))
    await mutate({
      path: 'things',
      body: { a: 4 },
      done: () => 'Made',
      undo: { of: { definition, done: 'create' }, onUndone: () => undone++ },
    })
    screen.getByRole('button', { name: 'Undo' }).click()
    await waitFor(() => expect(undone).toBe(1))
    expect(requestsIn(calls).at(-1)).toBe('POST /api/operations/o-1/undo')
  })

  test('a failure with a proxy’s HTML page is reported by its status', async () => {
    stubServer({ 'POST /api/things': new Response('<h1>Bad</h1>', { status: 502 }) })
    expect(await mutate({ path: 'things', body: { a: 5 } })).toMatchObject({
      kind: 'failed',
      failure: { text: 'Bad Gateway' },
    })
  })

  test('undoing an emailed change says that the email can’t be recalled', async () => {
    await signInAs('admin')
    stubServer({
      'POST /api/things/1/reply': Response.json(
        { id: 1 },
        { headers: { 'operation-id': 'o-2', mailed: 'true' } },
      ),
      'POST /api/operations/o-2/undo': {},
    })
    render(createElement(ToastHost))
    await mutate({ path: 'things/1/reply', body: {}, done: () => 'Reply sent.', undo: {} })
    screen.getByRole('button', { name: 'Undo' }).click()
    expect(await screen.findByText(/An email that was already sent/)).toBeDefined()
  })
})
