import type { DefinitionField } from './field.ts'
import type { RecordData } from './records.ts'

/** A field that both sides changed to different values. */
export type Clash = { field: DefinitionField; original: unknown; mine: unknown; theirs: unknown }

export type Merge = {
  /** Every field of the form; clashing fields have my value. */
  merged: RecordData
  /** Fields only the other side changed. */
  theirs: DefinitionField[]
  clashes: Clash[]
}

type Sides = {
  /** The common ancestor. */
  original: RecordData
  mine: RecordData
  current: RecordData
}

/** Three-way merge by field: one-sided or equal changes are taken, others clash. */
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

/** Missing equals empty. */
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
