// Checked by `npx tsc -p .`; nothing here runs.
import { expectTypeOf } from 'vitest'
import {
  accounts,
  contracts,
  messages,
  organisations,
  privacyrequests,
  tickets,
  type Models,
} from '#models/index.ts'
import { defineModel, extendModel, type Model } from './model.ts'
import { np, personal } from './privacy.ts'
import type {
  ConditionOf,
  FreshOf,
  InputOf,
  PatchOf,
  RecordFor,
  RecordOf,
  SortOf,
} from './record-of.ts'

type Status = 'New' | 'Open' | 'Waiting for client' | 'Resolved' | 'Closed'

// A stored record: each field has the type of its values, options by name.
type Ticket = RecordOf<typeof tickets>
expectTypeOf<Ticket['id']>().toEqualTypeOf<string>()
expectTypeOf<Ticket['status']>().toEqualTypeOf<Status | null>()
expectTypeOf<Ticket['contactType']>().toEqualTypeOf<'Query' | 'Callback' | 'Report'>()
expectTypeOf<Ticket['priority']>().toEqualTypeOf<'Low' | 'Normal' | 'High' | 'Urgent' | null>()
expectTypeOf<Ticket['number']>().toEqualTypeOf<number>()
expectTypeOf<Ticket['minutesSpent']>().toEqualTypeOf<number | null>()
expectTypeOf<Ticket['billable']>().toEqualTypeOf<boolean | null>()
expectTypeOf<Ticket['dueAt']>().toEqualTypeOf<string | null>()
expectTypeOf<Ticket['tags']>().toEqualTypeOf<string[] | null>()
expectTypeOf<RecordOf<typeof messages>['ticket']>().toEqualTypeOf<string>()
expectTypeOf<RecordOf<typeof messages>['setsStatus']>().toEqualTypeOf<'Open' | 'Closed' | null>()
expectTypeOf<RecordOf<typeof contracts>['status']>().toEqualTypeOf<
  'draft' | 'active' | 'ended' | null
>()
expectTypeOf<RecordOf<typeof accounts>['link']>().toEqualTypeOf<
  'none' | 'asked' | 'approved' | 'refused'
>()
expectTypeOf<RecordOf<typeof organisations>['relationship']>().toEqualTypeOf<
  'prospect' | 'client' | 'former' | null
>()
expectTypeOf<RecordOf<typeof privacyrequests>['kind']>().toEqualTypeOf<
  'access' | 'deletion' | 'complaint' | 'other' | null
>()
expectTypeOf<'IE'>().toExtend<RecordOf<typeof organisations>['country']>()
expectTypeOf<'Ireland'>().not.toExtend<RecordOf<typeof organisations>['country']>()

// A required field can be null only if erasure empties it.
expectTypeOf<Ticket['email']>().toEqualTypeOf<string | null>()
expectTypeOf<Ticket['fullName']>().toEqualTypeOf<string>()
expectTypeOf<Ticket['subject']>().toEqualTypeOf<string>()

// Before its INSERT: nothing erased, and no generated values yet.
type FreshTicket = FreshOf<typeof tickets>
expectTypeOf<FreshTicket['subject']>().toEqualTypeOf<string>()
// May be omitted if another field substitutes for it.
expectTypeOf<FreshTicket['email']>().toEqualTypeOf<string | null>()
expectTypeOf<FreshTicket['status']>().toEqualTypeOf<Status | null>()
expectTypeOf<FreshTicket>().not.toHaveProperty('id')
expectTypeOf<FreshTicket>().not.toHaveProperty('version')
expectTypeOf<FreshTicket>().not.toHaveProperty('number')

// A patch: any column, no other name, no other value.
declare function patch(value: PatchOf<typeof tickets>): void
patch({})
patch({ status: 'Closed', tags: ['printer'], contact: null })
// @ts-expect-error no such status
patch({ status: 'Clsed' })
// @ts-expect-error no such field
patch({ stauts: 'Closed' })
// @ts-expect-error the database numbers tickets
patch({ number: 7 })
// @ts-expect-error the id can't be set
patch({ id: 'x' })
// @ts-expect-error a required field is never emptied by hand
patch({ subject: null })
declare function patchContract(value: PatchOf<typeof contracts>): void
patchContract({ endOn: '2026-12-31' })
// @ts-expect-error computed when read: there is no column to set
patchContract({ status: 'ended' })

// Input of an action's form.
type Reply = InputOf<typeof tickets, 'reply'>
expectTypeOf<Reply['body']>().toEqualTypeOf<string>()
expectTypeOf<Reply['status']>().toEqualTypeOf<'Open' | 'Closed' | null | undefined>()
expectTypeOf<keyof InputOf<typeof tickets, 'note'>>().toEqualTypeOf<'body' | 'attachments'>()
expectTypeOf<keyof InputOf<typeof tickets, 'close'>>().toEqualTypeOf<never>()
expectTypeOf<keyof typeof tickets.actions>().toEqualTypeOf<'reply' | 'note' | 'close' | 'reopen'>()
expectTypeOf<keyof typeof messages.actions>().toEqualTypeOf<never>()
// @ts-expect-error no such action
expectTypeOf<InputOf<typeof tickets, 'escalate'>>()
declare function reply(value: Reply): void
reply({ body: 'Done.', status: 'Closed' })
// @ts-expect-error a reply needs a body
reply({ status: 'Closed' })
// @ts-expect-error a reply can't resolve a ticket
reply({ body: 'Done.', status: 'Resolved' })

// A record as read by a level; a relation to an invisible record is null.
type ClientTicket = RecordFor<typeof tickets, 'user'>
expectTypeOf<ClientTicket['subject']>().toEqualTypeOf<string>()
expectTypeOf<RecordFor<typeof tickets, 'admin'>['internalNotes']>().toEqualTypeOf<string | null>()
expectTypeOf<RecordFor<typeof messages, 'user'>['ticket']>().toEqualTypeOf<string | null>()
expectTypeOf<ClientTicket['labels']['organisation']>().toEqualTypeOf<string | undefined>()
expectTypeOf<ClientTicket['deletedAt']>().toEqualTypeOf<string | undefined>()
expectTypeOf<ClientTicket>().not.toHaveProperty('internalNotes')
expectTypeOf<ClientTicket['labels']>().not.toHaveProperty('subject')

// Sort and filter parameters of a list.
expectTypeOf<'dueAt' | '-dueAt' | 'number'>().toExtend<SortOf<typeof tickets>>()
expectTypeOf<'message'>().not.toExtend<SortOf<typeof tickets>>()
declare function where(...conditions: ConditionOf<typeof tickets>[]): void
where(
  ['status', 'in', ['New', 'Open']],
  ['dueAt', 'lt', '@now'],
  ['contact', 'empty', true],
  ['tags', 'has', 'printer'],
  ['number', 'gte', 7],
)
// @ts-expect-error no such status
where(['status', 'eq', 'Clsed'])
// @ts-expect-error a select has no order
where(['status', 'lt', 'Closed'])
// @ts-expect-error no such field
where(['stauts', 'eq', 'Closed'])
// @ts-expect-error `in` requires a list
where(['status', 'in', 'Closed'])

// The models by path.
expectTypeOf<Models['tickets']>().toEqualTypeOf<typeof tickets>()
expectTypeOf<Models[keyof Models]>().toExtend<Model>()
expectTypeOf<Models>().not.toHaveProperty('ticket')

// Misspelt properties are rejected at every level.
const base = {
  name: 'Thing',
  title: 'Things',
  path: 'things',
  displayField: 'name',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'admin' },
  privacy: { subject: 'none', retention: 'technical', onErase: 'null' },
} as const
defineModel({ ...base, fields: { name: { type: 'text', label: 'Name', privacy: np } } })
defineModel({
  ...base,
  // @ts-expect-error requird
  fields: { name: { type: 'text', label: 'Name', requird: true, privacy: np } },
})
defineModel({
  ...base,
  fields: { name: { type: 'text', label: 'Name', privacy: np } },
  // @ts-expect-error lable
  actions: { ring: { label: 'Ring', lable: 'Ring', access: 'user' } },
})
defineModel({
  ...base,
  fields: { name: { type: 'text', label: 'Name', privacy: np } },
  // @ts-expect-error menue
  menue: false,
})
const name = { type: 'text', label: 'Name', privacy: np } as const
defineModel({
  ...base,
  fields: { name },
  icon: 'box',
  list: { columns: ['name'], empty: 'No things yet.' },
  glance: [{ field: 'name' }, { related: 'parts.thing', label: 'parts' }],
  sections: [{ title: 'Thing', fields: ['name'] }],
  related: [{ model: 'parts', by: 'thing', columns: ['name'] }],
  timeline: { model: 'parts', by: 'thing', text: 'name', author: 'name' },
})
// @ts-expect-error colums
defineModel({ ...base, fields: { name }, list: { colums: ['name'] } })
// @ts-expect-error filed
defineModel({ ...base, fields: { name }, glance: [{ field: 'name', filed: 'name' }] })
defineModel({
  ...base,
  fields: { name },
  // @ts-expect-error filter
  glance: [{ related: 'parts.thing', label: 'parts', filter: { all: [] } }],
})
// @ts-expect-error a relation is written as model.relation
defineModel({ ...base, fields: { name }, glance: [{ related: 'parts', label: 'parts' }] })
// @ts-expect-error titel
defineModel({ ...base, fields: { name }, sections: [{ title: 'Thing', titel: '', fields: [] }] })
defineModel({
  ...base,
  fields: { name },
  // @ts-expect-error sort
  related: [{ model: 'parts', by: 'thing', columns: [], sort: 'name' }],
})
defineModel({
  ...base,
  fields: { name },
  // @ts-expect-error date
  timeline: { model: 'parts', by: 'thing', text: 'name', author: 'name', date: 'createdAt' },
})
extendModel(tickets, { list: { columns: ['subject'] } })
// @ts-expect-error colums
extendModel(tickets, { list: { colums: ['subject'] } })
// @ts-expect-error displayField isn't a site's to change
extendModel(tickets, { displayField: 'number' })
// @ts-expect-error no such type
defineModel({ ...base, fields: { name: { type: 'txt', label: 'Name', privacy: np } } })
// @ts-expect-error erse
personal('contact', ['delivery'], { erse: 'null', source: 'you' })
