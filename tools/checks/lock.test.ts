import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Entry = { integrity?: string; resolved?: string; link?: boolean }

const ROOT = new URL('../..', import.meta.url).pathname
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
const packages = Object.entries<Entry>(lock.packages).filter(([path]) =>
  path.includes('node_modules/'),
)

test('the tests run on Node 24', () => {
  expect(process.version).toMatch(/^v24\./)
})

test('every installed package has an integrity hash in the lock file', () => {
  const unpinned = packages.filter(
    ([path, { integrity, link }]) => !link && !integrity && existsSync(join(ROOT, path)),
  )
  expect(unpinned.map(([path]) => path)).toEqual([])
})

test('the lock file names no download host', () => {
  expect(packages.filter(([, { resolved, link }]) => resolved && !link)).toEqual([])
})
