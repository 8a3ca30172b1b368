import { fieldMessages, isStaff } from '@gatehouse/model'
import { contacts, organisations, type tickets } from '@gatehouse/model/models'
import type { Behaviour, HookContext } from '#engine/behaviour.ts'
import { hasRecipient, isElsewhere, isHandedOver, linkedAccount, type Ticket } from './owner.ts'

type Tickets = typeof tickets
type Change = Parameters<NonNullable<Behaviour<Tickets, Record<never, never>>['validate']>>[0]
type Lookups = Pick<HookContext<Record<never, never>>, 'records' | 'claimsOf'>
type Placed = Pick<Ticket, 'contact' | 'organisation'>

/** Contact and organisation agree. Only a change of one of them is checked: older contradictions stay editable. */
export async function checkOrganisation(change: Change) {
  const { event, record, previous, records } = change
  if (event === 'restore' || (previous && isPlacedAs(previous, record))) return []
  // An undo computes nothing.
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
  // One in the trash reads as none, so nobody could correct it.
  const contact = organisation === null ? null : await records(contacts).get(id)
  return contact && isElsewhere(contact, organisation) ? contact : null
}

/** Stored for its worklist. What the contact's behaviour writes here is a request to check again. */
export async function contactDiffers({ record, previous, caller, records }: Omit<Change, 'mail'>) {
  const isUnchanged = previous && previous.contactDiffers === record.contactDiffers
  if (isUnchanged && isPlacedAs(previous, record) && previous.contactDiffers !== true)
    return previous.contactDiffers
  // A client's are stamped from one link; for staff it was checked with the locked contact.
  if (!previous && (!isStaff(caller.level) || record.contactDiffers !== null))
    return record.contactDiffers ?? false
  return (await contactElsewhere(record, records)) !== null
}

/** Replies need an address when a ticket changes hands. An account that is declined leaves without one. */
export function checkAddress({ event, record, previous }: Change) {
  if (event !== 'update' || !previous || record.email !== null) return []
  const isTaken = previous.clientVia === 'contact' && record.clientVia === 'pending'
  const isDeclined = isTaken && previous.contact === record.contact
  if (isDeclined || !isHandedOver(previous, { ...previous, ...record })) return []
  return [{ field: 'email' as const, message: fieldMessages.addressNeeded }]
}

/** An undo brings back neither a ticket without a recipient, nor an owner whose access has ended since. */
export async function checkUndo({ event, record, previous }: Change, lookups: Lookups) {
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
