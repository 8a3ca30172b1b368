import type { Counted } from './count.ts'
import { sum, type Compared, type Cpu } from './rounds.ts'
import type { Spread } from './spread.ts'

export type Row = { name: string; count: Counted; cpu: Compared }

/** Against the floor: what must hold, and the mark. */
const LIMITS: Record<string, [must: number, mark: number]> = {
  'list, admin': [1.8, 1.3],
  'list, owner': [1.8, 1.5],
  'list, manager': [2.2, 1.7],
  'ticket, read again': [2, 1.6],
  asset: [2, 1.6],
  'create asset': [3.5, 2.2],
  'create ticket': [3.5, 2.2],
  'update ticket': [3.5, 2.5],
  'update asset': [3.5, 2.5],
  'reply, admin': [4, 2.5],
  'reply, owner': [4, 2.5],
}

/** One line a request. */
export const tableOf = (rows: Row[]) =>
  toTable(
    [
      'request',
      'statements',
      'buffers',
      'bytes',
      'ours, ms node + PostgreSQL',
      'bare',
      '× bare, median [range]',
      'must / mark',
    ],
    rows.map(({ name, count, cpu: { ours, bare } }) => [
      name,
      `${number(count.ours.statements)} : ${number(count.bare.statements)}`,
      `${number(count.ours.buffers)} : ${number(count.bare.buffers)}`,
      Math.round(count.ours.bytes).toString(),
      cpuText(ours),
      cpuText(bare),
      spreadText(ours?.ratio),
      verdictOn(name, ours?.ratio.median ?? Number.NaN),
    ]),
  )

export const cpuText = (cpu: Cpu | undefined) =>
  cpu ? `${sum(cpu).toFixed(2)} (${cpu.node.toFixed(2)} + ${cpu.database.toFixed(2)})` : '–'

export function spreadText(spread: Spread | undefined, digits = 2) {
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

/** Markdown, its columns aligned. */
export function toTable(head: string[], rows: string[][]) {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
