import { expect, test } from 'vitest'
import { isExample, isExampleLink } from './example-domains.ts'

test.each([
  ['gatehouse.example', true],
  ['hello@gatehouse.example', true],
  ['www.example.com', true],
  ['hello@myexample.com', false],
  ['example.com.evil.io', false],
])('%s is an example: %s', (name, expected) => {
  expect(isExample(name)).toBe(expected)
})

test.each([
  ['https://credentials.example/users/alex-marlow', true],
  ['https://credentials.example', true],
  ['https://github.com/gatehouse.example', false],
  ['https://www.linkedin.com/', false],
])('the link %s is an example: %s', (url, expected) => {
  expect(isExampleLink(url)).toBe(expected)
})
