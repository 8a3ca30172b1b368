import { problemMessages } from '@gatehouse/model'
import { accounts, contacts } from '@gatehouse/model/models'
import { defineBehaviour, type Records, type StoredOf } from '#engine/behaviour.ts'
import { conflict } from '#platform/errors.ts'
import { requireDirectory, requireStillOwner } from '#platform/identity/still-owner.ts'
import { accountMails } from './account-mails.ts'

/** Only an approval links a contact to an account; declining removes the link. */
export const accountBehaviour = defineBehaviour(accounts, {
  mails: accountMails,
  actions: {
    async approve({ record, records }) {
      await records(accounts).update(record.id, { link: 'approved' })
      await unlink(records(contacts), record)
      await link(records(contacts), record)
    },

    async refuse({ record, records }) {
      await records(accounts).update(record.id, { link: 'refused' })
      await unlink(records(contacts), record)
    },

    /** For someone who has lost theirs: the next sign-in is with the password, and staff set up a new one then. */
    async forgetfactors({ record: { id, sub, email }, caller, directory, mail }) {
      const known = requireDirectory(directory)
      await requireStillOwner(known, caller.visitor)
      if (sub === null || (await known.forgetFactors(sub)) === 0)
        throw conflict('no-factors', problemMessages.noFactors)
      await known.signOut(sub)
      await mail('factors-removed', email, { accountId: id })
    },
  },
})

type Account = StoredOf<typeof accounts>
type Contacts = Records<typeof contacts>

async function link(all: Contacts, { sub, email, emailVerified }: Account) {
  if (!emailVerified) throw conflict('not-linkable', problemMessages.emailNotVerified)
  // Locked: a concurrent change of the address waits for the link.
  const contact = await all.findBy('email', email, { lock: true })
  if (!contact || contact.userSub !== null)
    throw conflict('not-linkable', problemMessages.noContactToLink)
  await all.update(contact.id, { userSub: sub })
}

/** Includes the trash: those contacts can be restored. */
async function unlink(all: Contacts, { sub }: Account) {
  if (sub === null) return
  const linked = await all.find({ all: [['userSub', 'eq', sub]] }, { lock: true, trash: true })
  for (const { id } of linked) await all.update(id, { userSub: null }, { trash: true })
}
