import { RESERVED_PATHS } from '@gatehouse/model'
import { expect, test } from 'vitest'
import { FIXED_PATHS, PRODUCT_PATHS } from './site-map.tsx'

/** Paths with a dot, such as robots.txt, can't be a model's. */
const CONTAINS_DOT = /[.]/

test('every path of the site’s own pages and files is reserved for models, and every reserved page exists', () => {
  const pages = [...new Set([...FIXED_PATHS, ...PRODUCT_PATHS])].filter(
    (path) => !CONTAINS_DOT.test(path),
  )
  expect(pages.filter((path) => !RESERVED_PATHS.includes(path))).toEqual([])
  // Endpoints, which no page has.
  const endpoints = ['me', 'readyz', 'models', 'operations']
  expect(
    RESERVED_PATHS.filter((path) => !CONTAINS_DOT.test(path) && !pages.includes(path)).toSorted(),
  ).toEqual(endpoints.toSorted())
})
