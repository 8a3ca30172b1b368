import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHECKOUT } from '../stack/settings.ts'

const SOURCES = join(CHECKOUT, 'web/src')

test('every form uses POST, so that submitting it without scripts puts no input into the URL', () => {
  const forms = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .flatMap((name) =>
      openingTags(readFileSync(join(SOURCES, name), 'utf8')).map((tag) => ({ name, tag })),
    )
  expect(forms.length).toBeGreaterThan(5)
  expect(forms.filter(({ tag }) => !/\smethod="post"/.test(tag))).toEqual([])
})

/** `<form…>` up to its first child; `=>` in handlers doesn't end it. */
const openingTags = (source: string) =>
  [...source.matchAll(/<form\b(?:=>|[^>])*>/g)].map(([tag]) => tag)
