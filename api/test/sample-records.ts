import { canWrite, fieldOf, fieldsOf, maxLengthOf, type Field, type Model } from '@gatehouse/model'
import { snakeCase } from '#engine/table-names.ts'
import { ADMIN, type Database, type Person, type Test } from './kit.ts'
import { fixture } from './fixture.ts'

export const ALL_MODELS: Model[] = fixture.models

/** Bodies made per database: files that share a process would otherwise get values that depend on each other. */
const counts = new WeakMap<Database, number>()

/** A body with every field an owner may write, and new records for its relations. */
export async function fullBody(t: Test, model: Model, changes: object = {}) {
  const place = (counts.get(t.database) ?? 0) + 1
  counts.set(t.database, place)
  const body: Record<string, unknown> = {}
  for (const [name, field] of fieldsOf(model)) {
    if (!canWrite(field, 'owner')) continue
    // Ends the recursion.
    if (field.to === model.path) continue
    body[name] = field.to ? await createOne(t, modelAt(field.to)) : valueOf(field, place)
  }
  await joinOrganisations(t, model, { ...body, ...changes })
  return { ...body, ...changes }
}

export async function changeableBody(t: Test, model: Model) {
  const body = await fullBody(t, model)
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => !fieldOf(model, name)?.immutable),
  )
}

/** The API rejects a contact of another organisation. */
async function joinOrganisations(t: Test, { fields }: Model, body: Record<string, unknown>) {
  if (fields['contact']?.to !== 'contacts' || !body['contact'] || !body['organisation']) return
  await t.call('PUT', `/api/contacts/${String(body['contact'])}`, ADMIN, {
    body: { organisation: body['organisation'] },
  })
}

export async function createOne(t: Test, model: Model, by: Person = ADMIN, changes: object = {}) {
  const body = await fullBody(t, model, changes)
  const { status, json, text } = await t.call('POST', `/api/${model.path}`, by, { body })
  if (status !== 201) throw new Error(`${model.path}: ${text}`)
  return String(json.id)
}

export async function rowOf(t: Test, path: string, id: string) {
  const [row] = await t.database.sql(`select * from ${snakeCase(path)} where id = $1`, [id])
  return row as Record<string, unknown>
}

export const modelAt = (path: string) =>
  ALL_MODELS.find((model) => model.path === path) ?? raise(`no model ${path}`)

function valueOf(field: Field, place: number): unknown {
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'markdown':
      return (field.pattern ? `word-${place}` : `Word ${place}`).slice(0, maxLengthOf(field))
    case 'email':
      return `someone${place}@example.test`
    case 'tel':
      return `+353 1 555 ${1000 + (place % 9000)}`
    case 'url':
      return `https://example.test/${place}`
    case 'integer':
    case 'decimal':
      return (field.min ?? 0) + (place % 9)
    case 'boolean':
      return place % 2 === 0
    case 'date':
      return `2099-01-${10 + (place % 20)}`
    case 'datetime':
      return `2026-03-${10 + (place % 20)}T08:30:00.123Z`
    case 'select':
      return field.options?.[place % field.options.length]?.value
    case 'multiselect':
      return [field.options?.[place % field.options.length]?.value ?? `tag${place}`]
    case 'relation':
    case 'file':
      return null
  }
}

const raise = (message: string): never => {
  throw new Error(message)
}
