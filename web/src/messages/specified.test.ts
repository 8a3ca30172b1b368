import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acceptedMessages, specifiedCookieMessages } from '#messages/specified-cookies.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { specifiedMessages } from '#messages/specified.ts'

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../docs/spec', name), 'utf8').replaceAll('’', "'")
const WRITTEN = read('clauses.md')

/** As the clauses write the arguments. */
const ARGUMENTS: Record<string, string[]> = {
  oops: ['{status}', '{statusText}'],
  listError: ['{status}'],
  modelError: ['{status}'],
  created: ['model', 'x'],
  updated: ['model', 'x'],
  deleted: ['model', 'x'],
  deleteFailed: ['model', 'x'],
}

type Message = string | ((...args: never[]) => string) | { [key: string]: Message }

const textsOf = (key: string, message: Message): string[] => {
  if (typeof message === 'string') return [message]
  if (typeof message === 'function') return [message(...((ARGUMENTS[key] ?? []) as never[]))]
  return Object.entries(message).flatMap(([inner, one]) => textsOf(inner, one))
}

const TEXTS = [
  specifiedMessages,
  specifiedCookieMessages,
  acceptedMessages,
  specifiedPageMessages,
].flatMap((area) => textsOf('', area))

test.each(TEXTS)('“%s” stands in the clauses, letter for letter', (text) => {
  expect(WRITTEN.includes(text)).toBe(true)
})
