export type Piece = { kind: 'same' | 'added' | 'removed'; text: string }

/** Above this product of word counts the LCS is too slow: only the common prefix and suffix are used. */
const PAIRS_MAX = 4_000_000

export function diffWords(before: string, after: string): Piece[] {
  const a = words(before)
  const b = words(after)
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1
  let tail = 0
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    tail += 1
  return joined([
    ...a.slice(0, head).map(as('same')),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(as('same')),
  ])
}

function middle(a: string[], b: string[]): Piece[] {
  if (a.length * b.length > PAIRS_MAX) return [...a.map(as('removed')), ...b.map(as('added'))]
  // lengths[i][j]: LCS length of the suffixes from i and j.
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const pieces: Piece[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      pieces.push(as('same')(a[i] ?? ''))
      i += 1
      j += 1
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      pieces.push(as('removed')(a[i] ?? ''))
      i += 1
    } else {
      pieces.push(as('added')(b[j] ?? ''))
      j += 1
    }
  }
  return pieces
}

/** Words with trailing space, so that joining restores the text. */
const words = (text: string) => text.match(/\s+|\S+\s?/g) ?? []

const as =
  (kind: Piece['kind']) =>
  (text: string): Piece => ({ kind, text })

const joined = (pieces: Piece[]) =>
  pieces.reduce<Piece[]>((all, piece) => {
    const last = all.at(-1)
    if (last?.kind === piece.kind) last.text += piece.text
    else all.push({ ...piece })
    return all
  }, [])
