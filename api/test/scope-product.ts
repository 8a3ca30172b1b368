import { defineModel, np, type Field } from '@gatehouse/model'
import { kitchensink, models } from '@gatehouse/model/models'
import fc from 'fast-check'
import type { PersonClaims, Scope } from './scope.ts'
import { drawTarget, type Draw } from './scope-random.ts'
import type { Person, Row, Sentence } from './scope-oracle.ts'

const sentences: Record<string, Sentence> = {
  organisations: { access: 'UUAAA', scope: { org: 'id' }, hidden: ['notes', 'documents'] },
  contacts: {
    access: 'UUAAA',
    scope: { owner: 'userSub', orgManagers: 'organisation' },
    hidden: ['notes'],
  },
  services: {
    access: 'PPAAA',
    isPublished: (row) => row['published'] === true,
    hidden: ['internalCost'],
  },
  contracts: { access: 'UUAAA', scope: { orgManagers: 'organisation' } },
  tickets: {
    access: 'UUUAA',
    scope: { owner: 'clientId', orgManagers: 'organisation' },
    hidden: ['internalNotes', 'contactDiffers'],
    internal: ['clientVia'],
    unwritable: ['status', 'priority', 'resolution', 'internalNotes', 'tags'],
    set: {
      clientId: 'sub',
      clientName: 'name',
      contact: 'contact',
      organisation: 'organisation',
    },
    derived: ['clientId', 'clientName', 'contact', 'organisation'],
  },
  messages: {
    access: 'UUUAA',
    scope: { via: 'ticket' },
    isPublished: (row) => row['internal'] === false,
    hidden: ['internal'],
    unwritable: ['internal'],
    immutable: ['internal', 'ticket'],
  },
  assets: { access: 'UUAAA', scope: { org: 'organisation' }, hidden: ['purchasePrice'] },
  incidents: { access: 'UUAAA', scope: { org: 'organisation' }, hidden: ['actions'] },
  articles: {
    access: 'PPAAA',
    isPublished: (row, today) =>
      row['published'] === true && (row['expiresOn'] === null || String(row['expiresOn']) >= today),
  },
  accounts: { access: 'AA-A-' },
  privacyrequests: { access: 'AA-A-' },
  kitchensink: {
    access: 'UUUUA',
    scope: { owner: 'owner', orgManagers: 'organisation' },
    hidden: ['secret'],
    unwritable: ['secret'],
    set: { owner: 'sub', organisation: 'organisation' },
  },
  // Two models for these tests: allowed by 11.3, but unused by the product.
  replies: {
    access: 'UUUUU',
    scope: { via: 'ticket' },
    isPublished: (row) => row['internal'] === false,
    hidden: ['internal', 'memo'],
    unwritable: ['internal', 'memo'],
    immutable: ['ticket'],
  },
  pins: {
    access: 'UUUUU',
    scope: { owner: 'owner', org: 'organisation' },
    set: { owner: 'sub', organisation: 'organisation' },
  },
}

/** Refers to an admin-only model. */
const ACCOUNT: Field = {
  type: 'relation',
  label: 'Account',
  to: 'accounts',
  onDelete: 'unlink',
  privacy: np,
}

/** A child visible exactly when its parent is, with more fields than the product's messages. */
const replies = defineModel({
  name: 'Reply',
  title: 'Replies',
  path: 'replies',
  displayField: 'body',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'user' },
  rowScope: { via: 'ticket' },
  publicFilter: { all: [['internal', 'eq', false]] },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    body: { type: 'text', label: 'Body', required: true, sortable: true, privacy: np },
    // The only searchable field, so that non-admins have none.
    memo: {
      type: 'text',
      label: 'Memo',
      sortable: true,
      searchable: true,
      visibleTo: 'admin',
      writableBy: 'admin',
      privacy: np,
    },
    ticket: {
      type: 'relation',
      label: 'Ticket',
      to: 'tickets',
      required: true,
      onDelete: 'cascade',
      privacy: np,
    },
    account: ACCOUNT,
    internal: {
      type: 'boolean',
      label: 'Internal',
      default: false,
      visibleTo: 'admin',
      writableBy: 'admin',
      privacy: np,
    },
  },
})

/** Has owner, organisation and a relation to a child. */
const pins = defineModel({
  name: 'Pin',
  title: 'Pins',
  path: 'pins',
  displayField: 'text',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'user' },
  rowScope: { account: 'owner', member: 'organisation' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    text: {
      type: 'text',
      label: 'Text',
      required: true,
      sortable: true,
      scopedSort: true,
      searchable: true,
      privacy: np,
    },
    weight: { type: 'integer', label: 'Weight', sortable: true, privacy: np },
    owner: {
      type: 'text',
      label: 'Owner',
      writableBy: 'admin',
      stamp: 'account',
      privacy: np,
    },
    organisation: {
      type: 'relation',
      label: 'Organisation',
      to: 'organisations',
      onDelete: 'unlink',
      writableBy: 'admin',
      stamp: 'organisation',
      privacy: np,
    },
    reply: { type: 'relation', label: 'Reply', to: 'replies', onDelete: 'unlink', privacy: np },
    account: ACCOUNT,
  },
})

const SIZES: Record<string, number> = {
  organisations: 7,
  services: 10,
  accounts: 8,
  contacts: 18,
  replies: 60,
  pins: 60,
}
/** More than the cap of a total. */
const BULK = 1_010
/** All persons; linked ones also get their contact. */
function drawPeople(draw: Draw, rows: Map<string, Row[]>): Person[] {
  const contacts = rows.get('contacts') ?? []
  const organisations = rows.get('organisations') ?? []
  const spare = [...contacts]
  const link = (name: string, changes: Partial<Row> & { organisation?: string | null } = {}) => {
    const contact = spare.pop()
    if (!contact) throw new Error('too few contacts')
    Object.assign(contact, {
      userSub: `sub-${name}`,
      active: true,
      deletedAt: null,
      restrictedAt: null,
      organisation: drawTarget(draw, organisations.slice(0, 4)),
      ...changes,
    })
  }
  const trashed = '2026-01-02T03:04:05.000Z'
  link('viewer', { portalRole: 'viewer' })
  link('viewer-too', { portalRole: 'viewer' })
  link('manager', { portalRole: 'manager' })
  link('manager-too', { portalRole: 'manager' })
  link('no-role', { portalRole: 'none' })
  link('inactive', { portalRole: 'manager', active: false })
  link('gone', { portalRole: 'manager', deletedAt: trashed })
  link('moved', { portalRole: 'manager', deletedAt: trashed })
  link('moved', { portalRole: 'viewer' })
  link('nowhere', { portalRole: 'manager', organisation: null })
  const closed = organisations[4]
  if (closed) closed.deletedAt = trashed
  link('orphaned', { portalRole: 'manager', organisation: closed?.id ?? null })
  link('bulk', { portalRole: 'viewer' })
  const names = [...new Set(contacts.map((row) => row['userSub']).filter((sub) => sub !== null))]
  return [
    null,
    { sub: 'sub-plain', name: 'plain', role: 'user' },
    ...names.map((sub) => ({
      sub: String(sub),
      name: String(sub).slice(4),
      role: 'user' as const,
    })),
    { sub: 'sub-admin', name: 'Ada Admin', role: 'admin' },
  ]
}

function addBulk(draw: Draw, rows: Map<string, Row[]>) {
  const contact = rows.get('contacts')?.find((row) => row['userSub'] === 'sub-bulk')
  for (let place = 0; place < BULK; place++)
    rows.get('pins')?.push({
      id: draw(fc.uuid),
      deletedAt: null,
      restrictedAt: null,
      text: 'bulk',
      weight: place % 7 === 0 ? null : place % 10,
      owner: 'sub-bulk',
      organisation: place % 2 === 0 ? contact?.['organisation'] : null,
      reply: null,
      account: null,
    })
}

/** The active contact with `userSub` = `sub`, and its organisation unless in the trash (docs/decisions/08-deleting.md). */
const held: Scope['held'] = ({ sub }, rowsOf): PersonClaims => {
  const contact = rowsOf('contacts').find(
    (row) => row.deletedAt === null && row['active'] === true && row['userSub'] === sub,
  )
  const organisation = rowsOf('organisations').find(({ id }) => id === contact?.['organisation'])
  const own = organisation?.deletedAt === null ? [organisation.id] : []
  const role = contact?.['portalRole']
  return {
    org: role === 'viewer' || role === 'manager' ? own : [],
    orgManagers: role === 'manager' ? own : [],
    contact: contact?.id ?? null,
    organisation: own[0] ?? null,
  }
}

const valueOf: Scope['valueOf'] = (path, row, name, { rowsOf, today }) => {
  const isOver = (contract: Row) =>
    [contract['autoRenew'] === true ? null : contract['endOn'], contract['terminatedOn']].some(
      (day) => day && String(day) < today,
    )
  if (path === 'contracts' && name === 'status') {
    if (String(row['startOn']) > today) return 'draft'
    return isOver(row) ? 'ended' : 'active'
  }
  if (path === 'organisations' && name === 'relationship') {
    const contracts = rowsOf('contracts').filter(
      (contract) => contract['organisation'] === row.id && contract.deletedAt === null,
    )
    if (contracts.length === 0) return 'prospect'
    return contracts.every(isOver) ? 'former' : 'client'
  }
  return undefined
}

export const scope: Scope = {
  models: [...models, kitchensink, replies, pins],
  sentences,
  sizes: SIZES,
  favourites: ['kitchensink', 'replies', 'pins'],
  circle: 'kitchensink',
  peopleAfter: 'contacts',
  drawPeople,
  held,
  share: (row, sub, rowsOf) => {
    const contact = rowsOf('contacts').find(
      (one) => one['userSub'] === sub && one.deletedAt === null,
    )
    if (contact) row['organisation'] = contact['organisation'] ?? null
  },
  addBulk,
  valueOf,
}
