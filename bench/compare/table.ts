import type { Counted } from './count-statements.ts'
import { sum, type Compared, type Cpu } from './rounds.ts'
import type { Spread } from './median-range.ts'

export type Row = { name: string; count: Counted; cpu: Compared }

/** CPU as a multiple of bare Fastify's: limit and target. */
export const LIMITS: Record<string, [must: number, mark: number]> = {
  'list, admin': [2.3, 1.8],
  'list, owner': [2.6, 2],
  'list, manager': [2.4, 2],
  'ticket, read again': [2.7, 2],
  asset: [2.7, 2],
  'create asset': [4.5, 4],
  'create ticket': [6, 5],
  'update ticket': [5, 4],
  'update asset': [5, 4],
  'reply, admin': [6, 5],
  'reply, owner': [7, 5.5],
}

const COUNTED = ['request', 'statements', 'buffers', 'bytes']

/** Ours : bare. */
export const countTableOf = (counted: Map<string, Counted>) =>
  toTable(COUNTED, [...counted].map(countCells))

const countCells = ([name, { ours, bare }]: [string, Counted]) => [
  name,
  `${number(ours.statements)} : ${number(bare.statements)}`,
  `${number(ours.buffers)} : ${number(bare.buffers)}`,
  Math.round(ours.bytes).toString(),
]

export const tableOf = (rows: Row[]) =>
  toTable(
    [...COUNTED, 'ours, ms node + PostgreSQL', 'bare', '× bare, median [range]', 'must / mark'],
    rows.map(({ name, count, cpu: { ours, bare } }) => [
      ...countCells([name, count]),
      formatCpu(ours),
      formatCpu(bare),
      formatRange(ours?.ratio),
      verdictOn(name, ours?.ratio.median ?? Number.NaN),
    ]),
  )

export const formatCpu = (cpu: Cpu | undefined) =>
  cpu ? `${sum(cpu).toFixed(2)} (${cpu.node.toFixed(2)} + ${cpu.database.toFixed(2)})` : '–'

export function formatRange(spread: Spread | undefined, digits = 2) {
  if (!spread) return '–'
  const [median, min, max] = [spread.median, spread.min, spread.max].map((one) =>
    one.toFixed(digits),
  )
  return `${median} [${min}–${max}]`
}

function verdictOn(name: string, ratio: number) {
  const [must, mark] = LIMITS[name] ?? []
  if (must === undefined || mark === undefined) return 'reported'
  return `${must} / ${mark}: ${ratio <= mark ? 'mark' : ratio <= must ? 'must' : 'MISSED'}`
}

const number = (value: number) => (Math.round(value * 10) / 10).toString()

export function toTable(head: string[], rows: string[][]) {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
