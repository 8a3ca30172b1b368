import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { breakingChanges } from './diff.ts'
import { onDisk, productDocument, toText, undeclaredBreaches } from './document.ts'

const product = productDocument()

test('api/openapi.json is what the models make; otherwise the test says whether the difference breaks programs', () => {
  const { document } = product
  const committed = onDisk(product)
  const isSame = committed !== null && toText(committed) === toText(document)
  expect(isSame, isSame ? '' : explain(committed ? breakingChanges(committed, document) : [])).toBe(
    true,
  )
})

test('no undeclared breaking change: neither against the file nor against what was committed', () => {
  expect(undeclaredBreaches(product)).toEqual([])
})

test('the version has its paragraph in docs/api-changes.md', () => {
  const changes = readFileSync(new URL('../../docs/api-changes.md', import.meta.url), 'utf8')
  expect(changes).toContain(`## ${product.document.info.version}\n`)
})

const explain = (breaches: string[]) =>
  breaches.length === 0
    ? 'api/openapi.json differs from the models. The difference is compatible: npm run openapi'
    : `api/openapi.json differs from the models and the difference is BREAKING:\n${breaches.join('\n')}`
