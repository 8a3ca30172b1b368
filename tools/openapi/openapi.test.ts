import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { breakingChanges } from './diff.ts'
import {
  onDisk,
  productDocument,
  serialiseDocument,
  undeclaredBreakingChanges,
} from './document.ts'

const product = productDocument()

test('api/openapi.json matches the models; a mismatch is reported as breaking or not', () => {
  const { document } = product
  const committed = onDisk(product)
  const isSame = committed !== null && serialiseDocument(committed) === serialiseDocument(document)
  expect(isSame, isSame ? '' : explain(committed ? breakingChanges(committed, document) : [])).toBe(
    true,
  )
})

test('the API has no undeclared breaking change against its file or the committed versions', () => {
  expect(undeclaredBreakingChanges(product)).toEqual([])
})

test('the API version has a paragraph in docs/api-changes.md', () => {
  const changes = readFileSync(new URL('../../docs/api-changes.md', import.meta.url), 'utf8')
  expect(changes).toContain(`## ${product.document.info.version}\n`)
})

const explain = (breaches: string[]) =>
  breaches.length === 0
    ? 'api/openapi.json differs from the models. The difference is compatible: npm run openapi'
    : `api/openapi.json differs from the models and the difference is BREAKING:\n${breaches.join('\n')}`
