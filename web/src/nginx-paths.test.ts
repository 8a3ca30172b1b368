// @vitest-environment node
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteObject } from 'react-router'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest, startFront, type Front } from '../../tools/site/nginx-test-server.ts'
import { CHECKOUT } from '../../tools/stack/settings.ts'
import { buildProductPages } from './product-pages.tsx'
import { PRODUCT_PATHS } from './site-map.tsx'

let front: Front

beforeAll(async () => {
  front = await startFront()
  for (const name of ['spa', '404']) writeFileSync(join(front.directory, `${name}.html`), name)
})
afterAll(() => front.stop())

/** Addresses of routes, with parameters filled in. */
const addressesOf = (routes: RouteObject[], parent = ''): string[] =>
  routes.flatMap(({ path = '', children, Component, lazy }) => {
    const address = path ? `${parent}/${path.replaceAll(/:\w+/g, 'x')}` : parent
    return [...(Component || lazy ? [address] : []), ...addressesOf(children ?? [], address)]
  })

const documentAt = async (path: string) => {
  const { status, text } = await sendRequest(front.https, { path })
  return `${status} ${text}`
}

test.each(addressesOf(buildProductPages()))(
  'nginx serves the app with status 200 at %s',
  async (address) => {
    expect(await documentAt(address)).toBe('200 spa')
    expect(await documentAt(`${address}/`)).toBe('200 spa')
    expect(await documentAt(`${address}/x/y`)).toBe('404 404')
  },
)

test('nginx names no product page that the router lacks', () => {
  const text = readFileSync(join(CHECKOUT, 'ops/nginx/gatehouse.conf'), 'utf8')
  const [, named = ''] = /# web\/src\/product-pages\.tsx\n *'~\^\/\((.*)\)\/\?\$' /.exec(text) ?? []
  expect(named.replaceAll(/\(.*?\)\?/g, '').split('|')).toEqual(PRODUCT_PATHS)
})
