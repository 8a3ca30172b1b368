import { STATUS_CODES } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { buildUser, clearFeedback, signInAs, stubServer } from '../../test/kit.tsx'
import { callApi } from './client.ts'
import { readFailure, statusPhrase } from './failure.ts'
import { mutate } from './mutate.ts'
import { send } from './send.ts'

afterEach(clearFeedback)

describe('an API call', () => {
  test('[API-05] an API call goes to this origin only, with a token if signed in', async () => {
    await signInAs('user')
    const calls = stubServer({})
    await callApi('services')
    await callApi('//evil.test')
    for (const { url, headers } of calls) {
      expect(new URL(url, window.location.origin).origin).toBe(window.location.origin)
      expect(headers.get('authorization')).toBe('Bearer token-of-the-visitor')
    }
  })

  test('[API-04] [API-05] an API call sends its body as JSON, and no content type without one', async () => {
    const calls = stubServer({})
    await send('services', { method: 'POST', body: { a: 1 }, headers: { 'if-match': '"1"' } })
    await send('services/1', { method: 'DELETE', headers: {} })
    expect(calls[0]).toMatchObject({ method: 'POST', body: { a: 1 } })
    expect(Object.fromEntries(calls[0]?.headers ?? [])).toEqual({
      'content-type': 'application/json',
      'if-match': '"1"',
    })
    expect(calls[1]?.body).toBeUndefined()
    expect([...(calls[1]?.headers ?? [])]).toEqual([])
  })

  test('an anonymous API call carries neither token nor idempotency key', async () => {
    await signInAs('user')
    const calls = stubServer({ 'POST /api/privacy/choices': {} })
    await send('privacy/choices', { method: 'POST', body: {}, isAnonymous: true })
    expect([...(calls[0]?.headers.keys() ?? [])]).toEqual(['content-type'])
  })
})

describe('a rejected token that has not expired', () => {
  const rejection = new Response(null, {
    status: 401,
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
  const isNew = ({ headers }: { headers: Headers }) =>
    headers.get('authorization') === 'Bearer renewed'
  const onlyNew = (call: { headers: Headers }) => (isNew(call) ? { id: 1 } : rejection)

  test('a rejected token is renewed silently once for all requests, which are repeated with their keys', async () => {
    const manager = await signInAs('user')
    const renew = vi.spyOn(manager, 'signinSilent').mockImplementation(async () => {
      const user = buildUser({ role: 'admin' }, { access_token: 'renewed' })
      await manager.storeUser(user)
      return user
    })
    const calls = stubServer({ 'POST /api/things': onlyNew, 'GET /api/things': onlyNew })
    const [saved, read] = await Promise.all([
      mutate({ path: 'things', body: { a: 1 } }),
      callApi('things'),
    ])
    expect([saved.kind, read.status]).toEqual(['saved', 200])
    expect(renew).toHaveBeenCalledTimes(1)
    const keys = calls
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  test('a request is repeated only once after its token was rejected', async () => {
    const manager = await signInAs('user')
    const user = buildUser({ role: 'user' }, { access_token: 'also refused' })
    vi.spyOn(manager, 'signinSilent').mockResolvedValue(user)
    const calls = stubServer({ 'GET /api/things': rejection })
    expect((await callApi('things')).status).toBe(401)
    expect(calls).toHaveLength(2)
  })

  test('the session ends if a rejected token can’t be renewed', async () => {
    const manager = await signInAs('user')
    vi.spyOn(manager, 'signinSilent').mockRejectedValue(new Error('login_required'))
    const ended = vi.spyOn(manager.events, '_raiseUserSignedOut').mockResolvedValue()
    const calls = stubServer({ 'POST /api/things': rejection })
    expect(await mutate({ path: 'things', body: { a: 2 } })).toMatchObject({ status: 401 })
    expect(ended).toHaveBeenCalledTimes(1)
    expect(calls).toHaveLength(1)
  })
})

describe('the message of a failed response', () => {
  const failureOf = (body: unknown) =>
    readFailure(
      new Response(typeof body === 'string' ? body : JSON.stringify(body), { status: 422 }),
    )

  test.each<[unknown, string]>([
    [{ detail: 'D', message: 'M', error: 'E', title: 'T' }, 'D'],
    [{ message: 'M', error: 'E' }, 'M'],
    [{ error: 'E' }, 'E'],
    [{ detail: '', message: 'M' }, 'M'],
    [{ detail: { deep: 1 }, error: 'E' }, 'E'],
    ['Plain words', 'Plain words'],
    [{ reason: 'R' }, '{"reason":"R"}'],
    ['"quoted"', '"quoted"'],
    ['', 'Unprocessable Entity'],
  ])('[DYN-08] the message of the error body %j is %j', async (body, text) => {
    expect((await failureOf(body)).text).toBe(text)
  })

  test('[DYN-08] [ERR-05] field errors are kept by field; malformed ones are dropped', async () => {
    const errors = [
      { field: 'title', message: 'Title is taken' },
      { field: 1, message: 2 },
      null,
      7,
    ]
    expect((await failureOf({ detail: 'No', errors })).errors).toEqual([errors[0]])
    expect((await failureOf({ detail: 'No', errors: { title: ['x'] } })).errors).toEqual([])
  })
})

describe('the standard phrase', () => {
  const errorStatuses = Object.entries(STATUS_CODES).filter(([status]) => Number(status) >= 400)

  test.each(errorStatuses)('[ERR-01] the standard phrase of status %s is %s', (status, phrase) => {
    expect(statusPhrase({ status: Number(status), statusText: '' }).toLowerCase()).toBe(
      phrase?.toLowerCase(),
    )
  })

  test('[ERR-01] the server’s status text overrides the standard phrase', () => {
    expect(statusPhrase({ status: 404, statusText: 'Gone fishing' })).toBe('Gone fishing')
  })
})
