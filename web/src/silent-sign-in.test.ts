import { describe, expect, test } from 'vitest'
import { isSameSite } from './silent-sign-in.ts'

describe('the site and its provider are one site to the browser', () => {
  test.each([
    ['http://localhost:8080', 'http://localhost:8280'],
    ['https://example.com', 'https://example.com:8443'],
    ['https://example.com', 'https://id.example.com'],
    ['https://www.example.co.uk', 'https://id.www.example.co.uk'],
    ['https://portal.example.com', 'https://example.com'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8280'],
  ])('certainly: %s and %s', (one, other) => {
    expect(isSameSite(new URL(one), new URL(other))).toBe(true)
  })

  test.each([
    ['another name', 'https://example.com', 'https://provider.test'],
    ['a name that only ends alike', 'https://example.com', 'https://myexample.com'],
    ['another scheme', 'http://example.com', 'https://example.com'],
    ['one address, two names', 'http://127.0.0.1:8080', 'http://localhost:8280'],
    ['two customers of one suffix', 'https://acme.github.io', 'https://id.github.io'],
    ['two firms of one country', 'https://acme.co.uk', 'https://id.co.uk'],
    ['neighbours, which only the suffix list knows', 'https://www.a.com', 'https://id.a.com'],
    ['names beneath localhost', 'http://localhost', 'http://id.localhost'],
  ])('not certainly: %s', (_why, one, other) => {
    expect(isSameSite(new URL(one), new URL(other))).toBe(false)
    expect(isSameSite(new URL(other), new URL(one))).toBe(false)
  })
})
