import { factsOf, type FieldType } from '@gatehouse/model'
import fc from 'fast-check'

const ANY_INSTANT = fc.date({ noInvalidDate: true }).map((at) => at.toISOString())

/** Values of a type as our API stores them, by its facts: a new type needs no row here. */
export function storedValues(type: FieldType, instants = ANY_INSTANT): fc.Arbitrary<unknown> {
  const { json, column, format, text } = factsOf(type)
  if (column === 'uuidArray') return fc.array(fc.uuid())
  if (json === 'array') return fc.array(fc.string())
  if (json === 'integer') return fc.integer()
  if (json === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true })
  if (json === 'boolean') return fc.boolean()
  if (format === 'date') return instants.map((at) => at.slice(0, 10))
  // With seconds and fractions, which the input doesn't show.
  if (format === 'date-time') return instants
  if (format === 'email') return fc.emailAddress()
  if (format === 'uri') return fc.webUrl()
  if (format === 'uuid') return fc.uuid()
  if (text?.pattern) return fc.stringMatching(new RegExp(text.pattern))
  return fc.string({ unit: 'binary' })
}
