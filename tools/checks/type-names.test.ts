import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { comparedTypeNames } from './type-names.ts'

const TOP = new URL('../..', import.meta.url).pathname

test('no production code outside the tables compares the name of a field type', async () => {
  const sources = new Map(
    ['model/src', 'api/src', 'web/src', 'tools'].flatMap((folder) =>
      readdirSync(join(TOP, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => [`${folder}/${file}`, readFileSync(join(TOP, folder, file), 'utf8')]),
    ),
  )
  expect(sources.size).toBeGreaterThan(500)
  expect(await comparedTypeNames(sources)).toEqual([])
})

test.each([
  ['an equation', `if (field.type === 'select') x()`, 'select'],
  ['an inequation, reversed', `if ('relation' !== field?.type) x()`, 'relation'],
  ['a variable', `const isYes = type === 'boolean'`, 'boolean'],
  ['a function', `if (typeOf(field) === 'date') x()`, 'date'],
  ['a switch', `switch (typeOf(field)) { case 'integer': x() }`, 'integer'],
  ['a list', `const LONG = ['textarea']; LONG.includes(typeOf(field))`, 'textarea'],
  ['a list in place', `['decimal'].includes(field.type)`, 'decimal'],
  ['a set', `const LONG = new Set(['markdown']); LONG.has(field.type)`, 'markdown'],
  ['a record', `const WIDTH = { tel: 2 } satisfies X; WIDTH[field.type]`, 'tel'],
  ['a row of the table', `FIELD_TYPES.email.text`, 'email'],
  [
    'a conditional type',
    `type A<F extends Field> = F['type'] extends 'multiselect' ? 1 : 2`,
    'multiselect',
  ],
])('%s that decides by a type is reported', async (_what, text, name) => {
  const found = await comparedTypeNames(new Map([['web/src/x.ts', text]]))
  expect(found).toEqual([expect.stringContaining(`web/src/x.ts:1 decides by the type "${name}"`)])
})

test('facts, declarations and types of other things are not reported', async () => {
  const text = `
    if (factsOf(field.type).column === 'date') x()
    const field = { name: 'a', type: 'text' }
    if (event.type === 'LOGIN' || kind === 'email') y()
  `
  expect(await comparedTypeNames(new Map([['web/src/x.ts', text]]))).toEqual([])
})
