import { actionsOf, type Action, type Model } from '@gatehouse/model'
import { kitchensink, models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, startApi, startTest, type Test } from '../../../test/kit.ts'

const ALL = [...models, kitchensink]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'QUERY']
const ID = '0190a5b0-0000-7000-8000-000000000000'

let api: Test
beforeAll(async () => {
  api = await startTest()
})
afterAll(() => api.stop())

const sendInvalid = async (method: string, path: string) => {
  const hasBody = !['GET', 'HEAD'].includes(method)
  const response = await fetch(`${api.base}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await api.tokenOf(ADMIN)}`,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: '{spoilt' } : {}),
  })
  const text = await response.text()
  const { code } = (text ? JSON.parse(text) : {}) as { code?: string }
  return { status: response.status, allow: response.headers.get('allow'), code }
}

const namesOf = ({ path, routeName }: Model) => [...new Set([path, routeName])]

/** The paths of a model, as [path, Allow header]. */
function addressesOf(model: Model): [string, string][] {
  const has = (methods: Record<string, Action>) =>
    Object.keys(methods)
      .filter((method) => actionsOf(model).some((action) => action === methods[method]))
      .join(', ')
  const acts = ['restore', 'purge', ...Object.keys(model.actions)]
  return [
    ['', has({ GET: 'list', POST: 'create' })],
    ['/form-metadata', 'GET'],
    [`/${ID}`, has({ GET: 'get', PUT: 'update', DELETE: 'delete' })],
    ...['history', 'about', 'neighbours'].map((part): [string, string] => [
      `/${ID}/${part}`,
      'GET',
    ]),
    ...acts.map((act): [string, string] => [`/${ID}/${act}`, 'POST']),
  ]
}

test.each(ALL.map((model) => [model.path, model] as const))(
  'every path of %s returns 405 with Allow for other methods, before the body is read',
  async (_path, model) => {
    for (const name of namesOf(model))
      for (const [address, allow] of addressesOf(model)) {
        const allowed = allow.replace('GET', 'GET, HEAD').split(', ')
        for (const method of METHODS.filter((one) => !allowed.includes(one))) {
          const response = await sendInvalid(method, `/api/${name}${address}`)
          expect([response.status, response.allow], `${method} ${address}`).toEqual([405, allow])
        }
      }
  },
)

test.each([
  '/',
  '/api',
  '/api/',
  '/api/nowhere',
  `/api/nowhere/${ID}`,
  '/api/nowhere/form-metadata',
  `/api/nowhere/${ID}/history`,
  `/api/nowhere/${'x'.repeat(201)}`,
  `/api/${'x'.repeat(201)}`,
  '/api/Tickets',
  '/api/tickets%2Fform-metadata',
  '/api/constructor',
  '/api/__proto__/x',
  `/api/tickets/${ID}/nowhere`,
  `/api/tickets/${ID}/constructor`,
  `/api/tickets/${ID}/${'x'.repeat(201)}`,
  `/api/tickets/${ID}/history/`,
  `/api/services/${ID}/close`,
  '/api/models/nowhere',
  `/api/operations/${ID}`,
])('%s returns 404 before the body is read', async (path) => {
  for (const method of METHODS) {
    const { status, code } = await sendInvalid(method, path)
    expect([status, code], method).toEqual([404, method === 'HEAD' ? undefined : 'not-found'])
  }
})

test('a percent-encoded name works like the plain one', async () => {
  const [encoded, plain] = [
    await sendInvalid('GET', '/api/%74ickets'),
    await sendInvalid('GET', '/api/tickets'),
  ]
  expect(encoded).toEqual(plain)
  expect(plain.status).toBe(200)
})

test('the number of routes does not grow with the models', async () => {
  const few = await startApi({
    models,
    databaseUrl: api.database.url('gatehouse_app'),
    keys: api.keys,
  })
  const routesOf = ({ app }: Pick<Test, 'app'>) => app.printRoutes().split('\n').length
  expect(routesOf(few)).toBe(routesOf(api))
  await few.stop()
})

test('logs and metrics contain model names, and nothing from an unknown URL', async () => {
  const [path, routeName] = namesOf(kitchensink)
  await sendInvalid('GET', `/api/${path}/${ID}/history`)
  await sendInvalid('PATCH', `/api/${routeName}/form-metadata`)
  await api.call('GET', `/api/${path}`, null, { headers: { authorization: 'Bearer made-up' } })
  await sendInvalid('GET', '/api/made-up')
  await sendInvalid('GET', `/api/tickets/${ID}/made-up`)
  const text = (await api.metrics.inject('/metrics')).body
  expect(text).toContain(`{route="/api/${path}/:id/history",method="GET",status="404"}`)
  expect(text).toContain(`{route="/api/${routeName}/form-metadata",method="PATCH",status="405"}`)
  expect(text).toContain(`{route="/api/${path}",method="GET",status="401"}`)
  expect(text).toContain('{route="none",method="GET",status="404"}')
  expect(text).not.toMatch(/made-up|:model|:part/)
})
