import { problemMessages } from '@gatehouse/model'
import { accounts, contacts, tickets } from '@gatehouse/model/models'
import { defineBehaviour, type HookContext } from '#engine/behaviour.ts'
import type { Records, StoredOf } from '#engine/records.ts'
import { conflict } from '#platform/errors.ts'
import { RANKS } from '#platform/identity/directory.ts'
import { findSessions } from '#platform/identity/end-sessions.ts'
import { requireDirectory, requireStillOwner } from '#platform/identity/require-owner.ts'
import { accountMails } from './account-mails.ts'

/** Only an approval links a contact to an account; declining unlinks it. Tickets opened for the contact change owner with it. */
export const accountBehaviour = defineBehaviour(accounts, {
  mails: accountMails,
  after: {
    create: recordLevel,
    update: recordLevel,

    /** Undoes an approval or a decline also for tickets opened for the contact since. */
    async undo(change) {
      const { record, previous, records } = change
      await recordLevel(change)
      if (record.link === previous?.link) return
      if (record.link !== 'approved') await takeTickets(records(tickets), record)
      for (const contact of await findLinked(records(contacts), record))
        await giveTickets(records(tickets), record, contact)
    },
  },
  actions: {
    async approve({ record, records }) {
      await records(accounts).update(record.id, { link: 'approved' })
      await unlink(records(contacts), record)
      await takeTickets(records(tickets), record)
      await giveTickets(records(tickets), record, await link(records(contacts), record))
    },

    async refuse({ record, records }) {
      await records(accounts).update(record.id, { link: 'refused' })
      await unlink(records(contacts), record)
      await takeTickets(records(tickets), record)
    },

    /** Removes lost second factors: the next sign-in needs only the password, and staff enrol a new factor then. */
    async forgetfactors(change) {
      const { record, caller, directory, mail } = change
      const { id, sub, email } = record
      const known = requireDirectory(directory)
      await requireStillOwner(known, caller.visitor)
      if (sub === null || (await known.forgetFactors(sub)) === 0)
        throw conflict('no-factors', problemMessages.noFactors)
      const sids = await findSessions(known, sub)
      await known.signOut(sub)
      await change.revokeSessions({ sub, sids })
      await change.securityEvent({
        kind: 'factor-removed',
        outcome: 'other',
        actor: caller.visitor,
        about: { sub },
      })
      await mail('factors-removed', email, { accountId: id })
    },
  },
})

type Account = StoredOf<typeof accounts>

/**
 * Records a changed level, whether set here or in the provider's console. A level first seen at a sign-in or by the staff sync
 * may be years old, so it is not recorded.
 */
async function recordLevel({ record, previous, caller, securityEvent }: LevelChange) {
  const [before, now] = [previous?.staff ?? 'none', record.staff ?? 'none']
  if (before === now || record.sub === null) return
  const isOwn = caller.visitor?.sub === record.sub
  const isFirstKnown = (previous?.staff ?? null) === null
  if (isFirstKnown && (isOwn || !caller.visitor)) return
  const facts = { actor: isOwn ? null : caller.visitor, about: { sub: record.sub } }
  if (RANKS[now] > RANKS[before] && now !== 'none')
    await securityEvent({ kind: 'role-granted', outcome: now, ...facts })
  else if (before !== 'none')
    await securityEvent({ kind: 'role-removed', outcome: before, ...facts })
}

type LevelChange = Pick<HookContext<typeof accountMails>, 'caller' | 'securityEvent'> & {
  record: Account
  previous: Account | null
}
type Contacts = Records<typeof contacts>

async function link(all: Contacts, { sub, email, emailVerified }: Account) {
  if (!emailVerified) throw conflict('not-linkable', problemMessages.emailNotVerified)
  // Locked: a concurrent change of the address waits for the link.
  const contact = await all.findBy('email', email, { lock: true })
  if (!contact || contact.userSub !== null)
    throw conflict('not-linkable', problemMessages.noContactToLink)
  await all.update(contact.id, { userSub: sub })
  return contact
}

/** Includes contacts in the trash, since they can be restored. */
const findLinked = async (all: Contacts, { sub }: Account) =>
  sub === null ? [] : all.find({ all: [['userSub', 'eq', sub]] }, LOCKED_ALL)

async function unlink(all: Contacts, account: Account) {
  for (const { id } of await findLinked(all, account))
    await all.update(id, { userSub: null }, { trash: true })
}

type Tickets = Records<typeof tickets>
type Contact = StoredOf<typeof contacts>

/**
 * Assigns tickets staff opened for the contact, including the trash, and those that kept its address when the contact was
 * removed. The latter are checked again when restored from the trash.
 */
async function giveTickets(all: Tickets, { sub, name, email }: Account, contact: Contact) {
  const pending = ['clientVia', 'eq', 'pending'] as const
  const opened = await all.find({ all: [pending, ['contact', 'eq', contact.id]] }, LOCKED_ALL)
  const addresses = [contact.email, ...(email === null ? [] : [email])]
  const addressed = await all.find(
    { all: [pending, ['contact', 'empty', true], ['email', 'in', addresses]] },
    { lock: true },
  )
  for (const { id } of [...opened, ...addressed])
    await all.update(id, { clientId: sub, clientName: name, clientVia: 'contact' }, { trash: true })
}

/** Unassigns the tickets that an account without a contact owned through one, not those it opened. */
async function takeTickets(all: Tickets, { sub }: Account) {
  if (sub === null) return
  const theirs = [
    ['clientId', 'eq', sub],
    ['clientVia', 'eq', 'contact'],
  ] as const
  const ofContacts = await all.find({ all: [...theirs, ['contact', 'empty', false]] }, LOCKED_ALL)
  const others = await all.find({ all: [...theirs, ['contact', 'empty', true]] }, { lock: true })
  for (const { id } of [...ofContacts, ...others])
    await all.update(
      id,
      { clientId: null, clientName: null, clientVia: 'pending' },
      { trash: true },
    )
}

const LOCKED_ALL = { lock: true, trash: true }
