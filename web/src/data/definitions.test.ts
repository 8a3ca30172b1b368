import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  requestsIn,
  buildUser,
  clearFeedback,
  define,
  signInAs,
  stubServer,
  type Call,
} from '../../test/kit.tsx'
import {
  definitionsState,
  canDo,
  definitionAt,
  definitionsSettled,
  isRecordAddress,
  loadDefinitions,
  nameOf,
  readDefinitions,
  refreshDefinitions,
  retryDefinitions,
} from './definitions.ts'
import { useValue } from '#base/store.ts'

const KEY = 'dynamicRoutes'
const services = {
  name: 'Service',
  path: 'Services',
  routeName: 'service-list',
  viewData: {
    title: 'Services',
    displayField: 'title',
    fields: [{ name: 'title', label: 'Title', type: 'text', default: null }],
  },
  authorise: { create: true, update: false },
}
const notes = { path: 'notes' }

const state = () => definitionsState.get()
const paths = () => state().definitions.map(({ path }) => path)
const stored = () => JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as unknown

beforeEach(() => sessionStorage.clear())
afterEach(clearFeedback)

describe('the source of definitions', () => {
  test('[DYN-01] dynamicRoutes is filled from the API if absent', async () => {
    const calls = stubServer({ 'GET /api/models': [services] })
    await loadDefinitions([])
    expect(requestsIn(calls)).toEqual(['GET /api/models'])
    expect(stored()).toEqual([services])
    expect(paths()).toEqual(['Services'])
    expect(state().hasFailed).toBe(false)
  })

  test('[DYN-01] definitions stored by others during the request are used too', async () => {
    stubServer({
      'GET /api/models': () => {
        sessionStorage.setItem(KEY, JSON.stringify([notes]))
        return [services]
      },
    })
    await loadDefinitions([])
    expect(stored()).toEqual([notes])
    expect(paths()).toEqual(['notes'])
  })

  test('[DYN-01] definitions stored by others are used as they are, without a request', async () => {
    const calls = stubServer({})
    const raw = ` [ ${JSON.stringify(notes)} ] `
    sessionStorage.setItem(KEY, raw)
    await loadDefinitions([])
    await refreshDefinitions()
    expect(calls).toEqual([])
    expect(sessionStorage.getItem(KEY)).toBe(raw)
    expect(paths()).toEqual(['notes'])
  })

  test('[DYN-01] an empty list stored by others is used too', async () => {
    const calls = stubServer({ 'GET /api/models': [services] })
    sessionStorage.setItem(KEY, '[]')
    await loadDefinitions([])
    expect(calls).toEqual([])
    expect(paths()).toEqual([])
    expect(state().hasFailed).toBe(false)
  })

  test('[DYN-01] our own copy is refreshed on sign-in and sign-out', async () => {
    stubServer({ 'GET /api/models': [notes] })
    await loadDefinitions([])
    stubServer({ 'GET /api/models': [notes, services] })
    await refreshDefinitions()
    expect(stored()).toEqual([notes, services])
    expect(paths()).toEqual(['notes', 'Services'])
  })

  test('[DYN-01] our copy is not refreshed once others changed it', async () => {
    stubServer({ 'GET /api/models': [notes] })
    await loadDefinitions([])
    sessionStorage.setItem(KEY, JSON.stringify([services]))
    const calls = stubServer({ 'GET /api/models': [notes] })
    await refreshDefinitions()
    expect(calls).toEqual([])
    expect(stored()).toEqual([services])
  })

  test('[DYN-01] a reload reads our copy without a request', async () => {
    stubServer({ 'GET /api/models': [notes] })
    await loadDefinitions([])
    const calls = stubServer({})
    await loadDefinitions([])
    expect(calls).toEqual([])
    expect(paths()).toEqual(['notes'])
  })

  test('[DYN-01] our copy for an account that has signed out is not used', async () => {
    const manager = await signInAs('user')
    stubServer({ 'GET /api/models': [services] })
    await loadDefinitions([])
    await manager.removeUser()
    stubServer({ 'GET /api/models': [notes] })
    await loadDefinitions([])
    expect(paths()).toEqual(['notes'])
    expect(stored()).toEqual([notes])
  })

  test('[DYN-01] definitions stored by others are used for every account', async () => {
    const manager = await signInAs(null)
    sessionStorage.setItem(KEY, JSON.stringify([notes]))
    const calls = stubServer({ 'GET /api/models': [services] })
    await loadDefinitions([])
    await manager.storeUser(buildUser({}))
    await loadDefinitions([])
    expect(calls).toEqual([])
    expect(paths()).toEqual(['notes'])
  })

  test('[DYN-01] [API-05] definitions are requested with the user’s token', async () => {
    await signInAs('user')
    const calls = stubServer({ 'GET /api/models': [] })
    await loadDefinitions([])
    expect(calls[0]?.headers.get('authorization')).toBe('Bearer token-of-the-visitor')
    await signInAs(null)
    await loadDefinitions([])
    expect(calls[1]?.headers.has('authorization')).toBe(false)
  })

  // The page starts loading definitions signed out while the sign-in is still completing.
  test('[DYN-01] a signed-out response does not overtake that of a new sign-in', async () => {
    let release = () => {}
    const pending = new Promise<void>((resolve) => (release = resolve))
    let requestCount = 0
    stubServer({
      'GET /api/models': async (_call: Call) => {
        requestCount += 1
        if (requestCount > 1) return [services]
        await pending
        return [notes]
      },
    })
    const first = loadDefinitions([])
    const second = refreshDefinitions()
    const settled = definitionsSettled()
    release()
    await Promise.all([first, second, settled])
    expect(paths()).toEqual(['Services'])
    expect(stored()).toEqual([services])
  })
})

describe('definitions that fail to load', () => {
  test.each([
    ['no JSON', '{'],
    ['no list', '{"path":"services"}'],
    ['nothing', 'null'],
    ['an empty text', ''],
  ])('[LOAD-02] dynamicRoutes that is %s counts as failing to load', async (_what, raw) => {
    const calls = stubServer({})
    sessionStorage.setItem(KEY, raw)
    await loadDefinitions([])
    expect(state()).toMatchObject({ hasFailed: true, definitions: [], isLoaded: true })
    expect(calls).toEqual([])
    expect(sessionStorage.getItem(KEY)).toBe(raw)
  })

  test.each([
    ['refuses', new Response('', { status: 503 })],
    ['can’t be reached', new TypeError('Failed to fetch')],
    ['answers something else', new Response('<html>', { status: 200 })],
  ])('[LOAD-02] an API that %s counts as failing to load', async (_what, answer) => {
    stubServer({ 'GET /api/models': answer })
    await loadDefinitions([])
    expect(state()).toMatchObject({ hasFailed: true, definitions: [] })
  })

  test('[LOAD-02] a response after the timeout is used by the next load', async () => {
    stubServer({ 'GET /api/models': new Response('', { status: 503 }) })
    await loadDefinitions([])
    stubServer({ 'GET /api/models': [notes] })
    await refreshDefinitions()
    expect(state()).toMatchObject({ hasFailed: false })
    expect(paths()).toEqual(['notes'])
  })

  test('[LOAD-02] a failed load is retried after 5, 15 and 30 seconds, then every 30', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const calls = stubServer({ 'GET /api/models': new Response('', { status: 503 }) })
    await loadDefinitions([])
    let asked = 1
    for (const seconds of [5, 15, 30, 30]) {
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1)
      expect(calls).toHaveLength(asked)
      await vi.advanceTimersByTimeAsync(1)
      await definitionsSettled()
      asked += 1
      expect(calls).toHaveLength(asked)
    }
    stubServer({ 'GET /api/models': [services] })
    await vi.advanceTimersByTimeAsync(30_000)
    await vi.waitFor(() => expect(state()).toMatchObject({ hasFailed: false }))
    expect(paths()).toEqual(['Services'])
    const after = stubServer({})
    await vi.advanceTimersByTimeAsync(120_000)
    expect(after).toEqual([])
  })

  test.each([
    ['the connection is back', () => window.dispatchEvent(new Event('online'))],
    ['the tab is looked at again', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['someone presses Try again', () => void retryDefinitions()],
  ])('[LOAD-02] failed definitions are requested immediately when %s', async (_when, happen) => {
    stubServer({ 'GET /api/models': new Error('offline') })
    await loadDefinitions([])
    expect(state().hasFailed).toBe(true)
    stubServer({ 'GET /api/models': [services] })
    happen()
    await vi.waitFor(() => expect(state().hasFailed).toBe(false))
    expect(paths()).toEqual(['Services'])
    const calls = stubServer({})
    happen()
    await definitionsSettled()
    expect(calls).toEqual([])
  })

  test('[LOAD-02] an unreadable response is not stored, and the next load requests again', async () => {
    stubServer({ 'GET /api/models': new Response('<p>Back soon</p>') })
    await loadDefinitions([])
    expect(sessionStorage.getItem(KEY)).toBeNull()
    stubServer({ 'GET /api/models': [services] })
    await loadDefinitions([])
    expect(state()).toMatchObject({ hasFailed: false })
    expect(paths()).toEqual(['Services'])
  })

  test('[LOAD-02] [DYN-01] a failed refresh does not keep another account’s definitions', async () => {
    stubServer({ 'GET /api/models': [notes] })
    await loadDefinitions([])
    stubServer({ 'GET /api/models': new Response('', { status: 503 }) })
    await refreshDefinitions()
    expect(sessionStorage.getItem(KEY)).toBeNull()
    expect(paths()).toEqual([])
  })
})

describe('reading a definition', () => {
  test('[DYN-02] a definition has path, routeName, name, viewData and authorise', () => {
    expect(define(services)).toEqual({
      name: 'Service',
      path: 'Services',
      routeName: 'service-list',
      viewData: services.viewData,
      authorise: { create: true, update: false },
    })
  })

  test('[DYN-02] a definition requires only its path', () => {
    expect(define({ path: 'notes' })).toEqual({
      path: 'notes',
      routeName: 'notes',
      viewData: { title: 'notes', displayField: 'id', fields: [] },
    })
    const fields = [{ name: 'a', to: 5, unit: {} }, {}, null, 7]
    expect(define({ path: 'notes', viewData: { fields } })).toEqual({
      path: 'notes',
      routeName: 'notes',
      viewData: {
        title: 'notes',
        displayField: 'id',
        fields: [{ name: 'a', label: 'a', type: 'text' }],
      },
    })
  })

  test('[NAV-02] a model without a name is shown by its title, otherwise by its routeName', () => {
    expect(nameOf(define(services))).toBe('Service')
    expect(nameOf(define({ path: 'a', routeName: 'b', viewData: { title: 'C' } }))).toBe('C')
    expect(nameOf(define({ path: 'a', routeName: 'b' }))).toBe('b')
    expect(nameOf(define({ path: 'a', routeName: 'b', name: '', viewData: { title: '' } }))).toBe(
      'b',
    )
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['a text', 'services'],
    ['a number', 7],
    ['without a path', { name: 'Service' }],
    ['with an empty path', { path: '' }],
    ['with a path that is a number', { path: 7 }],
    ['with a slash in its path', { path: 'a/b' }],
    ['with a backslash in its path', { path: 'a\\b' }],
    ['with a space in its path', { path: 'a b' }],
    ['with a question mark in its path', { path: 'a?b' }],
    ['with a path that is a pattern', { path: ':anything' }],
    ['with a path that is every address', { path: '*' }],
    ['with a path that leads up', { path: '..' }],
    ['with the path of a page of the site', { path: 'Contact' }],
    ['with the path of another model', { path: 'SERVICES' }],
  ])('[DYN-14] a definition %s does not affect the others', async (_what, broken) => {
    sessionStorage.setItem(KEY, JSON.stringify([services, broken, notes]))
    await loadDefinitions(['contact'])
    expect(paths()).toEqual(['Services', 'notes'])
    expect(state().mistakes).toEqual([expect.stringMatching(/\w/)])
    expect(state().hasFailed).toBe(false)
    await loadDefinitions([])
  })

  test('[DYN-14] each unusable definition is reported with its own message', () => {
    expect(readDefinitions(JSON.stringify([{}, services, services])).mistakes).toEqual([
      'A model definition has no valid path.',
      'Two model definitions use the path /services.',
    ])
  })
})

describe('record paths', () => {
  test('[LOAD-01] a path counts as a record page once a definition claims it', async () => {
    sessionStorage.setItem(KEY, JSON.stringify([services, { path: 'Größe' }]))
    await loadDefinitions(['contact'])
    expect(isRecordAddress('/services/7')).toBe(true)
    expect(isRecordAddress('/SERVICES')).toBe(true)
    expect(isRecordAddress(new URL('/größe', window.location.origin).pathname)).toBe(true)
    expect(isRecordAddress('/elsewhere')).toBe(false)
    expect(isRecordAddress('/contact')).toBe(false)
    expect(isRecordAddress('/')).toBe(false)
    expect(isRecordAddress('/%')).toBe(false)
  })

  test('[DYN-03] a definition is found by its path regardless of case', async () => {
    sessionStorage.setItem(KEY, JSON.stringify([services]))
    await loadDefinitions([])
    expect(definitionAt('services')?.path).toBe('Services')
    expect(definitionAt('Services')?.path).toBe('Services')
    expect(definitionAt('service-list')).toBeUndefined()
  })
})

describe('permission flags', () => {
  const ACTIONS = ['list', 'get', 'create', 'update', 'delete'] as const
  const user = { sub: 'u', name: null, role: 'user' } as const
  const admin = { sub: 'a', name: null, role: 'admin' } as const
  const who = (authorise: unknown, action: (typeof ACTIONS)[number]) => {
    const definition = define({ path: 'a', authorise })
    return [null, user, admin].map((visitor) => canDo(definition, action, visitor))
  }
  const EVERYONE = [true, true, true]
  const SIGNED_IN = [false, true, true]
  const ADMINS = [false, false, true]

  describe.each(ACTIONS)('%s', (action) => {
    test.each<[unknown, string, boolean[]]>([
      [undefined, 'everyone', EVERYONE],
      [true, 'admins', ADMINS],
      [false, 'any signed-in user', SIGNED_IN],
      [null, 'any signed-in user', SIGNED_IN],
      ['true', 'any signed-in user', SIGNED_IN],
      ['', 'any signed-in user', SIGNED_IN],
      [0, 'any signed-in user', SIGNED_IN],
      [1, 'any signed-in user', SIGNED_IN],
      [{}, 'any signed-in user', SIGNED_IN],
    ])('[PERM-02] flag %j allows %s', (flag, _who, expected) => {
      expect(who({ [action]: flag }, action)).toEqual(expected)
    })

    test('[PERM-02] a flag of another action does not restrict this one', () => {
      const others = ACTIONS.filter((one) => one !== action)
      expect(who(Object.fromEntries(others.map((one) => [one, true])), action)).toEqual(EVERYONE)
    })

    test('[PERM-02] a definition without authorise is public', () => {
      expect(who(undefined, action)).toEqual(EVERYONE)
    })
  })
})

test('[DYN-01] subscribers are notified when definitions change', async () => {
  const { result } = renderHook(() => useValue(definitionsState))
  stubServer({ 'GET /api/models': [services] })
  await loadDefinitions([])
  await vi.waitFor(() => expect(result.current.definitions).toHaveLength(1))
})
