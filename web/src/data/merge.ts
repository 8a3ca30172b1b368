import type { DefinitionField } from './field.ts'
import type { RecordData } from './records.ts'

/** A field that both sides changed, each to something else. */
export type Clash = { field: DefinitionField; original: unknown; mine: unknown; theirs: unknown }

export type Merge = {
  /** Every field of the form; of a clash it holds mine. */
  merged: RecordData
  /** Fields that only the other side touched. */
  theirs: DefinitionField[]
  clashes: Clash[]
}

type Sides = {
  /** The record as it was when I began. */
  original: RecordData
  /** What I would save. */
  mine: RecordData
  /** The record as it is now. */
  current: RecordData
}

/** What one side alone touched is kept as that side has it; what both made the same is no question. */
export function merge(fields: DefinitionField[], { original, mine, current }: Sides): Merge {
  const sides = fields.map((field) => {
    const { name } = field
    const isMine = !same(original[name], mine[name])
    const isTheirs = !same(original[name], current[name])
    return {
      field,
      isMine,
      isTheirs,
      isClash: isMine && isTheirs && !same(mine[name], current[name]),
    }
  })
  return {
    merged: Object.fromEntries(
      sides.map(({ field: { name }, isMine }) => [name, isMine ? mine[name] : current[name]]),
    ),
    theirs: sides.filter(({ isMine, isTheirs }) => isTheirs && !isMine).map(({ field }) => field),
    clashes: sides
      .filter(({ isClash }) => isClash)
      .map(({ field }) => ({
        field,
        original: original[field.name],
        mine: mine[field.name],
        theirs: current[field.name],
      })),
  }
}

/** A value that is missing says as much as an empty one. */
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
