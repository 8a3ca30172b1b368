import { isStaff } from '@gatehouse/model'
import { CLOSED_STATUSES, contacts, messages, services, tickets } from '@gatehouse/model/models'
import { defineBehaviour, type ActionContext, type HookContext } from '#engine/behaviour.ts'
import { ticketMails } from './mails.ts'
import {
  addressOf,
  checkAddress,
  checkOrganisation,
  checkUndo,
  contactDiffers,
  isHandedOver,
  nextOwner,
  openedByStaff,
  returningOwner,
  type Ticket,
} from './owner.ts'

const HOUR_MS = 3_600_000

export const ticketBehaviour = defineBehaviour(tickets, {
  mails: ticketMails,

  before: {
    /**
     * An unknown address creates a contact; a known one proves nothing about the sender, so an admin decides. The response
     * is the same in both cases: only admins see the new contact.
     */
    async create(change) {
      const { record, caller, records } = change
      if (isStaff(caller.level)) return openedByStaff(record, change)
      const { fullName, email } = record
      if (caller.claims.contact?.length || fullName === null || email === null) return {}
      const made = await records(contacts).createIfAbsent({ fullName, email })
      return made ? { contact: made.id } : {}
    },

    /** A new owner's address is set, unless this change sets one: the former owner must not get the replies. */
    async update(change) {
      const { record: sent, previous } = change
      const owner = await nextOwner(change, change)
      const record = { ...sent, ...owner }
      if (previous.email !== record.email || !isHandedOver(previous, record)) return owner
      return { ...owner, email: await addressOf({ record, previous }, change) }
    },
  },

  validate: async (change) => [
    ...(await checkOrganisation(change)),
    ...checkAddress(change),
    ...(await checkUndo(change, change)),
  ],

  after: {
    async create({ record: { id: ticketId, email, contactType }, caller, mail, desk }) {
      await mail('ticket-opened', desk.email, { ticketId })
      await mail(isStaff(caller.level) ? 'ticket-opened-for' : 'ticket-received', email, {
        ticketId,
      })
      if (contactType === 'Report') await mail('ticket-reported', desk.alertEmail, { ticketId })
    },

    restore: checkOwner,
    undo: checkOwner,
  },

  computed: {
    contactDiffers,

    /** A promised due date is kept, even if the service's response time has changed. */
    async dueAt({ record, previous, records, site }) {
      const isPromised =
        previous?.service === record.service && previous.openedAt === record.openedAt
      if (isPromised) return previous.dueAt
      const service = await records(services).get(record.service, { trash: true })
      const hours = service?.responseHours ?? site.responseHours
      return record.openedAt && addHours(record.openedAt, hours)
    },

    closedAt: ({ record: { status, closedAt }, context }) =>
      CLOSED_STATUSES.some((one) => one === status) ? (closedAt ?? context.now) : null,
  },

  actions: {
    reply: ({ record, input, records }) =>
      records(messages).create({
        ticket: record.id,
        body: input.body,
        setsStatus: input.status ?? null,
        attachments: input.attachments ?? null,
      }),

    note: ({ record, input, records }) =>
      records(messages).create({
        ticket: record.id,
        body: input.body,
        internal: true,
        attachments: input.attachments ?? null,
      }),

    close: (change) => setStatus(change, { status: 'Closed', kind: 'ticket-closed' }),

    reopen: (change) => setStatus(change, { status: 'Open', kind: 'ticket-reopened' }),
  },
})

async function checkOwner(change: Pick<Hook, 'records' | 'claimsOf'> & { record: Ticket }) {
  const owner = await returningOwner(change.record, change)
  if (owner) await change.records(tickets).update(change.record.id, owner)
}

type Hook = HookContext<typeof ticketMails>
type Settling = { status: 'Closed' | 'Open'; kind: 'ticket-closed' | 'ticket-reopened' }

/** Changes the status and notifies the other side with a fixed sentence, without user input. */
async function setStatus(
  {
    record,
    caller,
    context,
    records,
    mail,
    desk,
  }: ActionContext<typeof tickets, typeof ticketMails>,
  { status, kind }: Settling,
) {
  // Sent like a message, so it counts against the message limit.
  await records(messages).count()
  await records(tickets).update(record.id, { status, lastContactAt: context.now })
  const to = isStaff(caller.level) ? 'client' : 'staff'
  await mail(kind, to === 'client' ? record.email : desk.email, { ticketId: record.id, to })
}

const addHours = (instant: string, hours: number) =>
  new Date(Date.parse(instant) + hours * HOUR_MS).toISOString()
