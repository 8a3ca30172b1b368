/**
 * Visibility of records that change owner, implemented a second time: lists of states in memory, and the rule applied to
 * each. It shares no code with the product.
 */
export type Reader = { sub: string; role: 'user' | 'admin' }
type Organisation = string | null

/** A record's text, and the values that decide its visibility, at one moment. */
export type State = {
  text: string
  owner: string | null
  org: Organisation
  /** Neither it nor its ticket is internal or restricted. */
  isOpen: boolean
}

export type Version<Values = unknown> = State & {
  values: Values
  actor: string
  operation: string
  /** Whether the step changed the text, or a field only admins see. */
  isTextNew: boolean
  isHiddenNew: boolean
}

/** `viewer`: visible to all members of the organisation; `manager`: only to its managers. */
export type StoredVersion<Values = unknown> = {
  versions: Version<Values>[]
  shownTo: 'viewer' | 'manager'
  isWritable: boolean
}

export type Links = Map<string, { org: Organisation; role: 'viewer' | 'manager' }>

export function buildTimeOracle(links: Links) {
  function sees(who: Reader, { shownTo }: StoredVersion, state: State) {
    if (who.role === 'admin') return true
    if (!state.isOpen) return false
    if (state.owner === who.sub) return true
    const link = links.get(who.sub)
    if (!link || state.org === null || link.org !== state.org) return false
    return link.role === 'manager' || shownTo === 'viewer'
  }

  const at = ({ versions }: StoredVersion, version: number) => versions[version - 1]

  function seesStep(who: Reader, kept: StoredVersion, version: number) {
    const [before, after] = [at(kept, version - 1), at(kept, version)]
    if (!after || !sees(who, kept, after)) return false
    return version === 1 || (before !== undefined && sees(who, kept, before))
  }

  const mayUndo = (who: Reader, kept: StoredVersion, version: number) =>
    who.role === 'admin' || (kept.isWritable && !at(kept, version)?.isHiddenNew)

  return {
    /** Null means 404. The creation of a record that another one needs is not offered for undo. */
    history(who: Reader, kept: StoredVersion, now: State & { isNeeded: boolean }) {
      if (!sees(who, kept, now)) return null
      return kept.versions
        .map((state, place) => ({ state, version: place + 1 }))
        .filter(({ state }) => sees(who, kept, state))
        .map(({ state, version }) => {
          const earlier = at(kept, version - 1)
          const before = earlier && sees(who, kept, earlier) ? earlier.text : null
          const isTheirs = who.role === 'admin' || state.actor === who.sub
          const isKept = version === 1 && now.isNeeded
          const isUndoable =
            isTheirs && !isKept && seesStep(who, kept, version) && mayUndo(who, kept, version)
          return {
            version,
            text: state.isTextNew ? [before, state.text] : null,
            operation: isUndoable ? state.operation : null,
          }
        })
        .toReversed()
    },

    undo(who: Reader, kept: StoredVersion, now: State, version: number) {
      const step = at(kept, version)
      const isTheirs = who.role === 'admin' || step?.actor === who.sub
      if (!isTheirs || !seesStep(who, kept, version)) return 404
      if (!mayUndo(who, kept, version)) return 403
      if (!sees(who, kept, now)) return 404
      return kept.versions.length === version ? 200 : 409
    },

    restore(who: Reader, kept: StoredVersion, now: State, version: number) {
      if (!sees(who, kept, now)) return 404
      const then = at(kept, version)
      return then && sees(who, kept, then) ? then.text : 422
    },

    replay(who: Reader, kept: StoredVersion, now: State) {
      const [first] = kept.versions
      return first && sees(who, kept, first) && sees(who, kept, now) ? first.text : 404
    },

    edit: (who: Reader, kept: StoredVersion, now: State) => (sees(who, kept, now) ? 200 : 404),
  }
}
