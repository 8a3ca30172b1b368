import { checkModels } from './checks.ts'
import type { Claims } from '#definition/claim.ts'
import type { Field } from '#definition/fields.ts'
import { defineModel, fieldOf, type Model } from '#definition/model.ts'
import { np, personal } from '#definition/privacy.ts'

// For tests only: valid definitions, and ways to break them. A test breaks one thing and expects exactly one message, so
// that an overzealous check fails too.

export const organisations = defineModel({
  name: 'Organisation',
  title: 'Organisations',
  path: 'organisations',
  displayField: 'name',
  access: { list: 'user', get: 'user', create: 'admin', update: 'admin', delete: 'admin' },
  rowScope: { member: 'id' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: { name: { type: 'text', label: 'Name', privacy: np } },
})

export const things = defineModel({
  name: 'Thing',
  title: 'Things',
  path: 'things',
  displayField: 'name',
  access: { list: 'user', get: 'user', create: 'user', update: 'admin', delete: 'admin' },
  rowScope: { account: 'owner', manager: 'organisation' },
  privacy: { subject: { email: 'email' }, retention: 'relationship', onErase: 'null' },
  fields: {
    name: { type: 'text', label: 'Name', privacy: np },
    email: { type: 'email', label: 'Email', privacy: personal('contact', ['delivery']) },
    owner: {
      type: 'text',
      label: 'Owner',
      writableBy: 'admin',
      stamp: 'account',
      privacy: personal('account', ['account']),
    },
    organisation: {
      type: 'relation',
      label: 'Organisation',
      to: 'organisations',
      onDelete: 'unlink',
      privacy: np,
    },
  },
})

/** Visible and owned through its thing. */
export const parts = defineModel({
  name: 'Part',
  title: 'Parts',
  path: 'parts',
  displayField: 'note',
  access: things.access,
  rowScope: { via: 'thing' },
  privacy: { subject: { via: 'thing' }, retention: 'relationship', onErase: 'null' },
  fields: {
    note: { type: 'text', label: 'Note', privacy: personal('communication', ['delivery']) },
    thing: { type: 'relation', label: 'Thing', to: 'things', onDelete: 'cascade', privacy: np },
  },
})

const organisation = { holds: { idOf: 'organisations' }, keptIn: 'org' } as const

const claims: Claims = {
  account: { holds: 'sub', keptIn: 'owner' },
  organisation,
  member: organisation,
  manager: organisation,
}

export const mistakesIn = (models: Model[], more: Claims = {}) =>
  checkModels(models, { ...claims, ...more })

export const mistakesOf = (invalid: Partial<Model>) =>
  mistakesIn([organisations, { ...things, ...invalid }])

export function withField(name: string, field: Partial<Field>): Pick<Model, 'fields'> {
  const before = fieldOf(things, name) ?? { type: 'text', label: 'Field', privacy: np }
  return { fields: { ...things.fields, [name]: { ...before, ...field } } }
}

export const relation = (to: string): Field => ({
  type: 'relation',
  label: 'Relation',
  to,
  onDelete: 'unlink',
  privacy: np,
})

/** A value that the compiler would reject. */
export const wrong = <T = never>(value: unknown) => value as T
