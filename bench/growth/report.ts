import { cpus, loadavg } from 'node:os'
import { toTable } from '../compare/table.ts'
import { growthOf, isFailure, type Found, type Judged } from './verdict.ts'
import { SIZES, type Size } from './sizes.ts'

/** Bytes. */
export type Disk = { tables: number; indexes: number; search: number }
type Run = { sizes: Size[]; seconds: number; disk: Map<Size, Disk> }
/** Rows of one group, represented by the most expensive. */
type Line = { group: string; cases: Judged[]; at: Map<Size, Found> }

/** The measured part of docs/scaling.md. */
export function toSection(rows: Judged[], { sizes, seconds, disk }: Run) {
  const lines = toLines(rows, sizes)
  const load = loadavg()[0]?.toFixed(1)
  return [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, load ${load}, ${seconds} s. Each cell: buffers, and milliseconds as`,
    'orientation only. A line with several cases shows the most expensive at each size.\n',
    toTable(
      ['request', 'cases', ...sizes.map(countText), '1 M → 10 M', 'must'],
      lines.map(({ group, cases, at }) => [
        group,
        String(cases.length),
        ...sizes.map((size) => cellOf(at.get(size))),
        growthText(at),
        mustOf(cases),
      ]),
    ),
    '\nBuffers from one to a million, on a logarithmic scale: `a` 10 thousand, `b` 1 million, `c` 10 million tickets. One letter alone:',
    'no visible growth. `>`: ended by its time limit.\n',
    '```text',
    plotOf(lines),
    '```\n',
    diskOf(disk),
  ].join('\n')
}

const MB = 1_000_000

const diskOf = (disk: Map<Size, Disk>) =>
  toTable(
    ['on the disk, MB', 'tables', 'indexes', 'of which search of tickets'],
    [...disk].map(([size, { tables, indexes, search }]) => [
      countText(size),
      ...[tables, indexes, search].map((bytes) => Math.round(bytes / MB).toLocaleString('en')),
    ]),
  )

function toLines(rows: Judged[], sizes: Size[]): Line[] {
  const groups = [...new Set(rows.map(({ group }) => group))]
  return groups.map((group) => {
    const cases = rows.filter((row) => row.group === group)
    const mostExpensive = (size: Size) =>
      cases
        .flatMap(({ at }) => at.get(size) ?? [])
        .toSorted((one, other) => weightOf(other) - weightOf(one))[0]
    const at = new Map(
      sizes.flatMap((size) => {
        const one = mostExpensive(size)
        return one ? [[size, one] as const] : []
      }),
    )
    return { group, cases, at }
  })
}

const weightOf = ({ buffers, isRefused }: Found) => (isRefused ? Infinity : buffers)

const countText = (size: Size) => SIZES[size].toLocaleString('en')

function cellOf(found: Found | undefined) {
  if (!found) return '–'
  const time = found.ms < 10 ? found.ms.toFixed(1) : Math.round(found.ms).toLocaleString('en')
  return found.isRefused
    ? `refused, ${time} ms`
    : `${found.buffers.toLocaleString('en')}, ${time} ms`
}

function growthText(at: Map<Size, Found>) {
  const growth = growthOf(at)
  return growth === null ? '–' : `${growth.toFixed(2)} ×`
}

function mustOf(cases: Judged[]) {
  const bad = cases.filter(isFailure)
  const [one] = cases[0]?.at.values() ?? []
  const must = one?.limit ? `≤ ${one.limit}` : one?.waitMs ? `≤ ${one.waitMs / 1000} s` : ''
  if (bad.length > 0)
    return `${must} MISSED by ${bad.length}: ${[...new Set(bad.map(({ verdict }) => verdict))].join(', ')}`.trim()
  return must ? `${must}: ok` : 'reported'
}

const MARKS: Partial<Record<Size, string>> = { '10k': 'a', '1m': 'b', '10m': 'c' }
const DECADES = 6
const STEPS = 9
const WIDTH = DECADES * STEPS + 1

function plotOf(lines: Line[]) {
  const width = Math.max(...lines.map(({ group }) => group.length))
  const axis = Array.from({ length: DECADES + 1 }, (_, power) =>
    (10 ** power).toLocaleString('en').padEnd(STEPS),
  ).join('')
  return [
    ...lines.map(({ group, at }) => `${group.padEnd(width)} |${stripOf(at)}`),
    `${''.padEnd(width)} |${axis.trimEnd()}`,
  ].join('\n')
}

function stripOf(at: Map<Size, Found>) {
  const strip = Array.from({ length: WIDTH + 1 }, () => ' ')
  const places = [...at].map(([size, found]) => [placeOf(found), MARKS[size] ?? ' '] as const)
  const all = places.map(([place]) => place)
  strip.fill('-', Math.min(...all), Math.max(...all))
  for (const [index, mark] of places) strip[index] = index === WIDTH ? '>' : mark
  return strip.join('').trimEnd()
}

const placeOf = ({ buffers, isRefused }: Found) =>
  isRefused ? WIDTH : Math.min(WIDTH - 1, Math.round(Math.log10(Math.max(1, buffers)) * STEPS))
