import { fieldMessages, isStaff } from '@gatehouse/model'
import { accounts, contacts, organisations, type tickets } from '@gatehouse/model/models'
import type { Behaviour, HookContext } from '#engine/behaviour.ts'
import type { StoredOf } from '#engine/records.ts'

export type Ticket = StoredOf<typeof tickets>
type Contact = StoredOf<typeof contacts>
type Lookups = Pick<HookContext<Record<never, never>>, 'records' | 'claimsOf'>
type Linked = { sub: string; name: string | null; email: string | null }

/** The account whose claims contain this contact. It may have no row before its first sign-in. */
async function linkedAccount(
  { userSub, id }: Contact,
  { records, claimsOf }: Lookups,
): Promise<Linked | null> {
  if (userSub === null || !(await claimsOf(userSub))['contact']?.includes(id)) return null
  const account = await records(accounts).findBy('sub', userSub)
  return { sub: userSub, name: account?.name ?? null, email: account?.email ?? null }
}

type Draft = Pick<Ticket, 'clientId' | 'clientName' | 'contact' | 'organisation' | 'email'> & {
  fullName: string | null
}

/** Fields of a ticket opened by staff that derive from its contact and the linked account. */
export async function openedByStaff(record: Draft, lookups: Lookups) {
  const { records } = lookups
  // Locked, so that a concurrent approval or decline waits and then finds this ticket.
  const contact = await records(contacts).lock(record.contact)
  const linked = contact && (await linkedAccount(contact, lookups))
  const isByHand = record.clientId !== null && record.clientId !== linked?.sub
  if (!contact) return isByHand ? { clientVia: 'staff' as const } : {}
  const fullName = record.fullName ?? contact.fullName
  if (isByHand) {
    const email = record.email ?? (await accountEmail(record.clientId, records))
    const contactDiffers = isElsewhere(contact, record.organisation)
    return { clientVia: 'staff' as const, fullName, email, contactDiffers }
  }
  const organisation = record.organisation ?? contact.organisation
  return {
    ...ownerThrough(linked, record),
    fullName,
    organisation,
    contactDiffers: isElsewhere(contact, organisation),
    email: linked?.email ?? record.email ?? contact.email,
  }
}

/** Whether the contact belongs to another organisation; one without an organisation matches any. */
const isElsewhere = (contact: Contact, organisation: string | null) =>
  contact.organisation !== null && organisation !== null && contact.organisation !== organisation

type Change = { record: Ticket; previous: Ticket }

/**
 * The owner after an update. A new contact sets a new owner if there is none, or if the current one came through a contact.
 * If `clientVia` was written, the owner is already decided.
 */
export async function nextOwner({ record, previous }: Change, lookups: Lookups) {
  if (record.clientVia !== previous.clientVia) return {}
  const isByHand = record.clientId !== previous.clientId
  const isContactNew = record.contact !== null && record.contact !== previous.contact
  const follows = previous.clientId === null || previous.clientVia === 'contact'
  if (!isContactNew || !follows) return isByHand ? ownerByHand({ record, previous }, lookups) : {}
  const contact = await lookups.records(contacts).lock(record.contact)
  if (!contact) return {}
  const linked = await linkedAccount(contact, lookups)
  if (isByHand && record.clientId !== linked?.sub) return ownerByHand({ record, previous }, lookups)
  const clientName = previous.clientVia === 'contact' ? null : record.clientName
  return {
    ...ownerThrough(linked, { clientName }),
    organisation: record.organisation ?? contact.organisation,
  }
}

/** An owner set by staff. The name is updated unless the same save changes it, because the new owner sees it. */
async function ownerByHand({ record, previous }: Change, { records }: Lookups) {
  const clientVia = 'staff' as const
  if (record.clientName !== previous.clientName) return { clientVia }
  const account = await records(accounts).findBy('sub', record.clientId)
  return { clientVia, clientName: account?.name ?? null }
}

const ownerThrough = (linked: Linked | null, { clientName }: Pick<Draft, 'clientName'>) =>
  linked
    ? { clientId: linked.sub, clientName: linked.name, clientVia: 'contact' as const }
    : { clientId: null, clientName, clientVia: 'pending' as const }

/**
 * The owner of a ticket restored from the trash, or by an undo, after its contact was removed: approving and declining skip
 * tickets in the trash that have no contact.
 */
export async function returningOwner(record: Ticket, lookups: Lookups) {
  if (record.contact !== null) return null
  if (record.clientVia === 'contact' && record.clientId !== null) {
    const claims = await lookups.claimsOf(record.clientId)
    return claims['contact']?.length ? null : ownerThrough(null, { clientName: null })
  }
  if (record.clientVia !== 'pending') return null
  const contact = await lookups.records(contacts).findBy('email', record.email)
  const linked = contact && (await linkedAccount(contact, lookups))
  return linked && ownerThrough(linked, record)
}

/**
 * Whether replies change recipient. Without an owner they go to the contact, within the organisation; a ticket without an
 * organisation is only being assigned.
 */
export const isHandedOver = (before: Ticket, after: Ticket) =>
  before.clientId !== after.clientId ||
  (before.clientId === null &&
    ((before.organisation !== null && before.organisation !== after.organisation) ||
      (after.contact !== null && before.contact !== after.contact)))

/** The address of the new owner, or null if there is none. Never the former owner's. */
export async function addressOf({ record, previous }: Change, lookups: Lookups) {
  const { records } = lookups
  const address =
    (await accountEmail(record.clientId, records)) ?? (await contactEmail(record, lookups))
  const isLeft = previous.clientId !== record.clientId && previous.clientId !== null
  if (isLeft && isSame(address, await accountEmail(previous.clientId, records))) return null
  // Keeps the spelling, so that a difference in case is no change.
  return isSame(address, previous.email) ? previous.email : address
}

/** The contact's address, unless staff chose another owner: replies must reach only readers of the ticket. */
async function contactEmail({ clientId, clientVia, contact: id }: Ticket, lookups: Lookups) {
  const contact = clientVia === 'staff' ? null : await lookups.records(contacts).get(id)
  if (!contact || (clientId !== null && clientVia !== 'contact')) return null
  const linked = clientId === null ? await linkedAccount(contact, lookups) : null
  return linked ? null : contact.email
}

const accountEmail = async (sub: string | null, records: Lookups['records']) =>
  (await records(accounts).findBy('sub', sub))?.email ?? null

const isSame = (one: string | null, other: string | null) =>
  one !== null && one.toLowerCase() === other?.toLowerCase()

export async function hasRecipient(
  ticket: Pick<Ticket, 'email' | 'clientId' | 'organisation'>,
  { records, claimsOf }: Lookups,
) {
  const { email, clientId, organisation } = ticket
  if (email !== null || (await records(accounts).findBy('sub', clientId))) return true
  if (organisation === null) return false
  const managers = await records(contacts).find({
    all: [
      ['organisation', 'eq', organisation],
      ['portalRole', 'eq', 'manager'],
      ['userSub', 'empty', false],
    ],
  })
  for (const { userSub } of managers)
    if (userSub !== null && (await claimsOf(userSub))['manager']?.includes(organisation))
      return true
  return false
}

type Tickets = typeof tickets
type Validation = Parameters<NonNullable<Behaviour<Tickets, Record<never, never>>['validate']>>[0]
type Placed = Pick<Ticket, 'contact' | 'organisation'>

/** Contact and organisation must match. Checked only if either changes, so that older mismatches remain editable. */
export async function checkOrganisation(change: Validation) {
  const { event, record, previous, records } = change
  if (event === 'restore' || (previous && isPlacedAs(previous, record))) return []
  // An undo runs no computed fields, so `contactDiffers` may be stale.
  if (event !== 'undo' && !record.contactDiffers) return []
  const contact = await contactElsewhere(record, records)
  if (!contact) return []
  const nameOf = async (id: string | null) =>
    (await records(organisations).get(id, { trash: true }))?.name ?? ''
  const names = [await nameOf(contact.organisation), await nameOf(record.organisation)] as const
  const message = fieldMessages.contactElsewhere(contact.fullName, ...names)
  return [{ field: 'organisation' as const, message }]
}

const isPlacedAs = (one: Placed, other: Placed) =>
  one.contact === other.contact && one.organisation === other.organisation

async function contactElsewhere(
  { contact: id, organisation }: Placed,
  records: Lookups['records'],
) {
  // A contact in the trash reads as null: staff could not correct the mismatch.
  const contact = organisation === null ? null : await records(contacts).get(id)
  return contact && isElsewhere(contact, organisation) ? contact : null
}

/** Stored for its worklist. The contact's behaviour writes it to request a new check. */
export async function contactDiffers({
  record,
  previous,
  caller,
  records,
}: Omit<Validation, 'mail'>) {
  const isUnchanged = previous && previous.contactDiffers === record.contactDiffers
  if (isUnchanged && isPlacedAs(previous, record) && previous.contactDiffers !== true)
    return previous.contactDiffers
  // Clients' values are stamped from one link; for staff it was checked with the locked contact.
  if (!previous && (!isStaff(caller.level) || record.contactDiffers !== null))
    return record.contactDiffers ?? false
  return (await contactElsewhere(record, records)) !== null
}

/** A ticket that changes owner needs an address, except after its account was declined. */
export function checkAddress({ event, record, previous }: Validation) {
  if (event !== 'update' || !previous || record.email !== null) return []
  const isTaken = previous.clientVia === 'contact' && record.clientVia === 'pending'
  const isDeclined = isTaken && previous.contact === record.contact
  if (isDeclined || !isHandedOver(previous, { ...previous, ...record })) return []
  return [{ field: 'email' as const, message: fieldMessages.addressNeeded }]
}

/** Rejects an undo that would leave no recipient, or restore an owner whose access has ended since. */
export async function checkUndo({ event, record, previous }: Validation, lookups: Lookups) {
  if (event !== 'undo' || !previous) return []
  const isReachable = (one: Parameters<typeof hasRecipient>[0]) => hasRecipient(one, lookups)
  if (!(await isReachable(record)) && (await isReachable(previous)))
    return [{ field: 'email' as const, message: fieldMessages.noRecipient }]
  const isOwnerBack =
    previous.clientId !== record.clientId ||
    previous.clientVia !== record.clientVia ||
    previous.contact !== record.contact
  const isThrough = record.clientVia === 'contact' || record.clientVia === 'pending'
  if (!isOwnerBack || !isThrough || record.contact === null) return []
  const contact = await lookups.records(contacts).get(record.contact)
  const linked = contact && (await linkedAccount(contact, lookups))
  if ((linked?.sub ?? null) === record.clientId) return []
  return [{ field: 'contact' as const, message: fieldMessages.accessChanged }]
}
