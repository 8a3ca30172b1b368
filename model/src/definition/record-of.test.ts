import { expect, test } from 'vitest'
import { isNotNull, type Field } from './fields.ts'
import { defineModel, fieldsOf } from './model.ts'
import { np, personal } from './privacy.ts'
import type { RecordOf } from './record-of.ts'

const fact = { type: 'text', label: 'Fact' } as const satisfies Omit<Field, 'privacy'>
const kept = personal('contact', ['delivery'])

const things = defineModel({
  name: 'Thing',
  title: 'Things',
  path: 'things',
  displayField: 'plain',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'admin' },
  privacy: { subject: 'none', retention: 'technical', onErase: 'null' },
  fields: {
    number: { type: 'integer', label: 'Number', sequence: true, privacy: np },
    plain: { ...fact, privacy: np },
    plainRequired: { ...fact, required: true, privacy: np },
    emptiedByModel: { ...fact, required: true, privacy: kept },
    emptied: { ...fact, required: true, privacy: personal('contact', [], { erase: 'null' }) },
    unlinked: { ...fact, required: true, privacy: personal('contact', [], { erase: 'unlink' }) },
    redacted: { ...fact, required: true, privacy: personal('contact', [], { erase: 'redact' }) },
    gone: { ...fact, required: true, privacy: personal('contact', [], { erase: 'row' }) },
    named: { ...fact, required: true, privacy: personal('contact', [], { erase: 'pseudonym' }) },
    optional: { ...fact, privacy: personal('contact', [], { erase: 'redact' }) },
  },
})
// The same fields with another `onErase` of the model.
const others = defineModel({
  ...things,
  privacy: { subject: 'none', retention: 'technical', onErase: 'row' },
})

type NeverNull<R> = { [K in keyof R]: null extends R[K] ? never : K }[keyof R]
type Listed<M extends typeof things | typeof others> = Record<
  NeverNull<RecordOf<M>> & keyof M['fields'],
  true
>

test('a record’s type allows null exactly if the column does', () => {
  const ofThings: Listed<typeof things> = {
    number: true,
    plainRequired: true,
    redacted: true,
    gone: true,
    named: true,
  }
  const ofOthers: Listed<typeof others> = { ...ofThings, emptiedByModel: true }
  expect(Object.keys(ofThings).sort()).toEqual(notNull(things))
  expect(Object.keys(ofOthers).sort()).toEqual(notNull(others))
})

const notNull = (model: typeof things | typeof others) =>
  fieldsOf(model)
    .filter(([, field]) => isNotNull(field, model.privacy.onErase))
    .map(([name]) => name)
    .sort()
