import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FormField } from '#forms/inputs/values.ts'
import { diffWords } from '#records/shared/word-diff.ts'
import { merge } from './merge.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e']
const fields: FormField[] = NAMES.map((name) => ({ name, label: name, type: 'text' }))
/** Few values, so that both sides often pick the same one. */
const value = fc.oneof(
  fc.constantFrom<unknown>(null, '', 'x', 'y', 0, 1, true, false),
  fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
)
const record = fc.record(Object.fromEntries(NAMES.map((name) => [name, value])))
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

describe('merging two users’ changes of one record', () => {
  test('a merge never loses a field that either side changed', () => {
    fc.assert(
      fc.property(record, record, record, (original, mine, current) => {
        const { merged, theirs, clashes } = merge(fields, { original, mine, current })
        for (const name of NAMES) {
          const isMine = !same(original[name], mine[name])
          const isTheirs = !same(original[name], current[name])
          const clash = clashes.find(({ field }) => field.name === name)
          const isClash = isMine && isTheirs && !same(mine[name], current[name])
          const sides = { original: original[name], mine: mine[name], theirs: current[name] }
          expect(clash && { ...clash, field: clash.field.name }).toEqual(
            isClash ? { field: name, ...sides } : undefined,
          )
          expect(merged[name]).toEqual(isMine ? mine[name] : current[name])
          expect(theirs.some((field) => field.name === name)).toBe(isTheirs && !isMine)
        }
      }),
    )
  })

  test('a merge has no clash if only one side changed something', () => {
    fc.assert(
      fc.property(record, record, (original, changed) => {
        expect(merge(fields, { original, mine: changed, current: original })).toMatchObject({
          merged: changed,
          theirs: [],
          clashes: [],
        })
        expect(merge(fields, { original, mine: original, current: changed })).toMatchObject({
          merged: changed,
          clashes: [],
        })
      }),
    )
  })
})

describe('the difference of two texts', () => {
  test('a text diff without additions is the first text, without removals the second', () => {
    const text = fc.array(fc.constantFrom('one', 'two', 'three', '\n', '  '), { maxLength: 30 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        const before = a.join(' ')
        const after = b.join(' ')
        const pieces = diffWords(before, after)
        const without = (kind: string) =>
          pieces
            .filter((piece) => piece.kind !== kind)
            .map((piece) => piece.text)
            .join('')
        expect(without('added')).toBe(before)
        expect(without('removed')).toBe(after)
      }),
    )
  })

  test('a text diff contains only the words that changed', () => {
    expect(diffWords('the old words stay', 'the new words stay')).toEqual([
      { kind: 'same', text: 'the ' },
      { kind: 'removed', text: 'old ' },
      { kind: 'added', text: 'new ' },
      { kind: 'same', text: 'words stay' },
    ])
  })
})
