/**
 * Expected state of records that are created, changed, deleted, restored and undone, implemented a second time: a list in
 * memory, a title unique among live records, and a parent that deletes by cascade.
 */
export type Values = { title: string; parent: string | null }
export type RecordedStep = Values & { id: string; version: number; isTrashed: boolean }

type Step = {
  note: RecordedStep
  action: 'create' | 'update' | 'delete' | 'restore'
  before: Values
  version: number
}

/** A step of a sequence: an action on one of the existing notes or operations. */
export type Command = {
  kind: 'create' | 'update' | 'delete' | 'restore' | 'revert' | 'undo'
  target: number
  title: number
  parent: number
}

export type Outcome = { status: number; operation: Step[] | null }

export type Oracle = ReturnType<typeof buildOracle>

export function buildOracle() {
  const notes: RecordedStep[] = []
  const states = new Map<RecordedStep, Values[]>()
  const deletedBy = new Map<RecordedStep, Step[]>()

  const find = (id: string | null) => notes.find((note) => note.id === id)
  const isLive = (id: string | null) => find(id)?.isTrashed === false
  const isFree = (title: string, but?: RecordedStep) =>
    notes.every((note) => note === but || note.isTrashed || note.title !== title)
  const childrenOf = ({ id }: RecordedStep) =>
    notes.filter((note) => note.parent === id && !note.isTrashed)

  /** Runs an operation; restores all notes if it is rejected. */
  function attempt(run: (operation: Step[]) => number): Outcome {
    const kept = notes.map((note) => ({ ...note }))
    const keptStates = new Map([...states].map(([note, list]) => [note, [...list]]))
    const keptDeletedBy = [...deletedBy]
    const operation: Step[] = []
    const status = run(operation)
    if (status < 300) return { status, operation: operation.length > 0 ? operation : null }
    notes.forEach((note, place) => Object.assign(note, kept[place]))
    for (const [note, list] of keptStates) states.set(note, list)
    for (const [note, by] of keptDeletedBy) deletedBy.set(note, by)
    return { status, operation: null }
  }

  function write(
    operation: Step[],
    note: RecordedStep,
    action: Step['action'],
    to: Partial<RecordedStep>,
  ) {
    const before = { title: note.title, parent: note.parent }
    Object.assign(note, to, { version: note.version + 1 })
    states.get(note)?.push({ title: note.title, parent: note.parent })
    operation.push({ note, action, before, version: note.version })
    if (action === 'delete') deletedBy.set(note, operation)
  }

  function change(operation: Step[], note: RecordedStep, values: Values) {
    if (values.parent !== null && !isLive(values.parent)) return 422
    if (values.title === note.title && values.parent === note.parent) return 200
    if (!isFree(values.title, note)) return 409
    write(operation, note, 'update', values)
    return 200
  }

  function discard(operation: Step[], note: RecordedStep) {
    write(operation, note, 'delete', { isTrashed: true })
    for (const child of childrenOf(note)) if (!child.isTrashed) discard(operation, child)
  }

  /** Restores a note with the children deleted by the same operation. */
  function takeOutWhole(operation: Step[], note: RecordedStep): boolean {
    const by = deletedBy.get(note)
    if (!takeOut(operation, note)) return false
    return notes
      .filter((child) => child.parent === note.id && child.isTrashed && deletedBy.get(child) === by)
      .every((child) => takeOutWhole(operation, child))
  }

  function takeOut(operation: Step[], note: RecordedStep) {
    if (!isFree(note.title)) return false
    write(operation, note, 'restore', { isTrashed: false })
    return true
  }

  function takeBack(operation: Step[], { note, action, before }: Step) {
    if (action === 'delete') return takeOut(operation, note)
    if (action === 'update') {
      if (!isFree(before.title, note)) return false
      if (before.title !== note.title || before.parent !== note.parent)
        write(operation, note, 'update', before)
      return true
    }
    write(operation, note, 'delete', { isTrashed: true })
    return true
  }

  return {
    notes,

    create(values: Values, id: () => string): Outcome {
      if (values.parent !== null && !isLive(values.parent)) return { status: 422, operation: null }
      if (!isFree(values.title)) return { status: 409, operation: null }
      const note = { ...values, id: id(), version: 1, isTrashed: false }
      notes.push(note)
      states.set(note, [values])
      return { status: 201, operation: [{ note, action: 'create', before: values, version: 1 }] }
    },

    update: (note: RecordedStep, values: Values) =>
      attempt((operation) => (note.isTrashed ? 404 : change(operation, note, values))),

    delete: (note: RecordedStep) =>
      attempt((operation) => {
        if (note.isTrashed) return 404
        discard(operation, note)
        return 204
      }),

    restore: (note: RecordedStep) =>
      attempt((operation) => {
        if (!note.isTrashed) return 404
        if (!takeOutWhole(operation, note)) return 409
        return note.parent === null || isLive(note.parent) ? 200 : 422
      }),

    revert: (note: RecordedStep, version: number) =>
      attempt((operation) => {
        const then = states.get(note)?.[version - 1]
        if (note.isTrashed) return 404
        return then ? change(operation, note, then) : 422
      }),

    undo: (steps: Step[]) =>
      attempt((operation) => {
        const newestFirst = steps.toReversed()
        const touched = newestFirst.filter(
          ({ note }, place) => newestFirst.findIndex((other) => other.note === note) === place,
        )
        if (touched.some(({ note, version }) => note.version !== version)) return 409
        if (!newestFirst.every((step) => takeBack(operation, step))) return 409
        for (const { note } of touched) {
          if (!note.isTrashed && note.parent !== null && !isLive(note.parent)) return 422
          if (note.isTrashed && childrenOf(note).length > 0) return 409
        }
        return 200
      }),
  }
}
