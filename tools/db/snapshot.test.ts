import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { readMigrationSources } from './migration-sources.ts'
import { add, readSnapshot, subtract, writeSnapshot, type Tables } from './snapshot.ts'

const product: Tables = {
  'public.a': { name: 'a', columns: { id: 1, name: 2 }, indexes: { a_sort: 3 } },
  'public.b': { name: 'b', columns: { id: 1 }, indexes: {} },
}
const all: Tables = {
  'public.a': {
    name: 'a',
    columns: { id: 1, name: 2, x_number: 4 },
    indexes: { a_sort: 3, a_x_search: 5 },
  },
  'public.b': { name: 'b', columns: { id: 1 }, indexes: {} },
  'public.site_c': { name: 'site_c', columns: { id: 1 }, indexes: {} },
}
const site: Tables = {
  'public.a': { columns: { x_number: 4 }, indexes: { a_x_search: 5 } },
  'public.site_c': { name: 'site_c', columns: { id: 1 }, indexes: {} },
}

test('subtracting the product’s snapshot leaves the site’s; adding restores the full schema', () => {
  expect(subtract(all, product)).toEqual(site)
  expect(add(product, site)).toEqual(all)
  expect(product['public.a']?.['columns']).toEqual({ id: 1, name: 2 })
})

test('later additions of the product are not counted as the site’s', () => {
  const later = add(product, { 'public.a': { columns: { more: 6 } } })
  expect(subtract(add(later, site), later)).toEqual(site)
})

test('a snapshot has a file per table and survives a round trip', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-snapshot-'))
  const folder = pathToFileURL(`${directory}/`)
  expect(readSnapshot(folder)).toEqual({})
  writeSnapshot(folder, all)
  writeSnapshot(folder, site)
  expect(readdirSync(join(directory, 'snapshot'))).toEqual(['a.json', 'site_c.json'])
  expect(readSnapshot(folder)).toEqual(site)
  rmSync(directory, { recursive: true })
})

test('the models of product and site match their migrations', async () => {
  for (const source of readMigrationSources()) {
    expect(await source.statements(), 'npm run db:migration').toEqual([])
    expect(source.differing, 'npm run db:migration').toEqual([])
  }
})
