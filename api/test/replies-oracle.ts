/**
 * Permitted recipients of a reply to one ticket, without the rules that choose the address: an address belongs to a contact, or
 * staff entered it for the owner the ticket had then.
 */
export type State = {
  email: string | null
  clientId: string | null
  contact: string | null
  organisation: string | null
}

export type Reader = {
  sub: string | null
  email: string
  contact: string
  isLinked: boolean
  /** Whether they can read the ticket now; false without an account. */
  canRead: boolean
}

export function buildOracle() {
  const typedFor = new Map<string, State[]>()
  /** All contacts the ticket has had. Removing one keeps its address. */
  const formerContacts = new Set<string | null>()

  return {
    /** Called after every command with the ticket and the address staff entered. */
    observe(state: State, typed: string | null) {
      formerContacts.add(state.contact)
      if (typed !== null && state.email === typed)
        typedFor.set(typed, [...(typedFor.get(typed) ?? []), state])
    },

    objection(state: State, recipient: string, readers: Reader[]): string | null {
      const person = readers.find(({ email }) => email === recipient)
      const typed = isTypedFor(typedFor.get(recipient) ?? [], state)
      if (!person || typed === null) return typed
      if (person.canRead) return null
      if (person.isLinked) return 'mailed to an account that can’t read the ticket'
      if (state.clientId !== null) return 'mailed to someone else than the owner'
      const isContact =
        state.contact === null
          ? formerContacts.has(person.contact)
          : state.contact === person.contact
      return isContact ? null : 'mailed to someone else than the contact'
    },
  }
}

function isTypedFor(states: State[], now: State) {
  const isMeant = states.some((then) =>
    now.clientId !== null || then.clientId !== null
      ? then.clientId === now.clientId
      : (now.contact === null || then.contact === now.contact) &&
        (then.organisation === null || then.organisation === now.organisation),
  )
  return isMeant ? null : 'mailed to an address typed for someone else'
}
