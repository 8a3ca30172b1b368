import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { CHECKOUT } from '../stack/settings.ts'
import { checkImports } from './entry-points.ts'

const site = mkdtempSync(join(tmpdir(), 'gatehouse-site-'))
afterAll(() => rmSync(site, { recursive: true }))
mkdirSync(join(site, 'behaviours'))

function findings(text: string, name = 'behaviours/visits.ts') {
  const file = join(site, name)
  writeFileSync(file, text)
  const found = checkImports(site).map((sentence) => sentence.replace(`${site}/`, ''))
  rmSync(file)
  return found
}

test('the import check allows a site’s own files, Node’s modules and entry points, and ignores comments and tests', () => {
  expect(
    findings(`// from '../../api/src/x.ts'
      import { defineModel } from '@gatehouse/model'
      import type { Models } from "@gatehouse/model/models"
      import { conflict } from '@gatehouse/api/behaviour'
      import type { Overrides } from '@gatehouse/web/messages'
      import { readFileSync } from 'node:fs'
      import { visits } from '../models/visits.ts'`),
  ).toEqual([])
  expect(findings(`import { test } from 'vitest'`, 'behaviours/visits.test.ts')).toEqual([])
})

const product = (path: string) => relative(join(site, 'behaviours'), join(CHECKOUT, path))

test.each([
  [product('api/src/platform/errors.ts'), 'Use @gatehouse/api/behaviour instead'],
  [product('model/src/models/tickets.ts'), 'Use @gatehouse/model or @gatehouse/model/models'],
  ['@gatehouse/api/src/platform/db.ts', 'Use @gatehouse/api/behaviour instead'],
  ['@gatehouse/web', 'Use @gatehouse/web/messages instead'],
  ['#platform/errors.ts', 'or @gatehouse/api/behaviour'],
  ['drizzle-orm', 'or @gatehouse/api/behaviour'],
])('a site’s import of %s is rejected with the entry point to use instead', (specifier, advice) => {
  const [sentence = '', ...more] = findings(`const x = await import('${specifier}')`)
  expect(more).toEqual([])
  expect(sentence).toContain(`behaviours/visits.ts:1: imports '${specifier}': `)
  expect(sentence).toContain(advice)
})
