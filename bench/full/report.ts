import type { Side } from '../compare/cases.ts'
import { sum } from '../compare/rounds.ts'
import type { measureIdle } from './idle-memory.ts'
import type { Speed } from './throughput.ts'
import type { Spread } from '../compare/median-range.ts'
import { formatCpu, formatRange, tableOf, toTable, type Row } from '../compare/table.ts'

export type Results = {
  at: string
  tickets: number
  rounds: number
  machine: string
  versions: Record<string, string>
  load: number
  /** Share of the machine's CPU used by other processes. */
  others: Record<'rest' | 'cpu' | 'speed', number>
  rows: Row[]
  /** CPU of PostgreSQL alone, by pgbench. */
  limit: Record<string, number>
  rest: Awaited<ReturnType<typeof measureIdle>>
  /** Null if the machine was not idle. */
  speed: Speed[] | null
  seconds: number
}

export const toReport = (results: Results) => `# Results of \`npm run bench\`

${results.at}; ${results.tickets.toLocaleString('en')} tickets, 24 callers of each kind, ${results.rounds} interleaved rounds, ${results.seconds} s.
${results.machine}; ${Object.entries(results.versions)
  .map((version) => version.join(' '))
  .join(
    ', ',
  )}. Load ${results.load.toFixed(1)}; other processes used ${percent(results.others.cpu)} of
the machine while CPU was measured. What is measured and how: [decision 44](../docs/decisions/44-bench.md).

## Ours against bare Fastify

Statements, buffers: ours : bare. CPU is milliseconds per request.

${tableOf(results.rows)}

## Peers

CPU per request, and × ours in the same rounds; PocketBase's database is in its own process. pgbench: PostgreSQL alone, with
bare Fastify's statement.

${peersOf(results)}

## At rest

${toTable(
  ['what', 'measured', 'must / mark'],
  [
    ['memory, PSS (RSS)', `${results.rest.pss} (${results.rest.rss}) MiB`, '122 / 85 MiB'],
    [
      'start to ready, median [range]',
      `${formatRange(results.rest.readyMs, 0)} ms${quietly(results.others.rest)}`,
      '1,500 / 900 ms',
    ],
  ],
)}

## Speed

${speedOf(results)}
`

function peersOf({ rows, limit }: Results) {
  const text = ({ cpu }: Row, side: Side) => {
    const [peer, ours] = [cpu[side], cpu.ours]
    return peer && ours
      ? `${formatCpu(peer)}, ${(peer.ratio.median / ours.ratio.median).toFixed(1)} ×`
      : '–'
  }
  const measured = rows.filter(({ name, cpu }) => cpu.directus ?? cpu.pocketbase ?? limit[name])
  return toTable(
    ['request', 'pgbench', 'bare', 'ours', 'PocketBase', 'Directus'],
    measured.map((row) => [
      row.name,
      limit[row.name]?.toFixed(3) ?? '–',
      row.cpu.bare ? sum(row.cpu.bare).toFixed(2) : '–',
      row.cpu.ours ? sum(row.cpu.ours).toFixed(2) : '–',
      text(row, 'pocketbase'),
      text(row, 'directus'),
    ]),
  )
}

function speedOf({ speed, others }: Results) {
  if (!speed) return `Not measured: other processes used ${percent(others.speed)} of the machine.`
  const both = (of: Record<'ours' | 'bare', Spread>, digits: number) =>
    `${of.ours.median.toFixed(digits)} : ${of.bare.median.toFixed(digits)}`
  return toTable(
    [
      'request',
      'a second',
      '× bare (0.5 / 0.7)',
      'p99 at half our capacity, ms',
      '× bare (2 / 1.5)',
    ],
    speed.map(({ name, perSecond, p99, rate, late }) => [
      name,
      both(perSecond, 0),
      formatRange(rate),
      both(p99, 1),
      formatRange(late),
    ]),
  )
}

const QUIET = 0.1
const quietly = (others: number) => (others < QUIET ? '' : ' (machine not idle)')
const percent = (part: number) => `${Math.round(part * 100)} %`
