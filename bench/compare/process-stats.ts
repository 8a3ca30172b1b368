import { readdirSync, readFileSync } from 'node:fs'

/** User and system time of all threads in nanoseconds; /proc/PID/stat has only hundredths of a second. */
export function cpuMs(pid: number) {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1e6
}

/** A process and its descendants, such as PostgreSQL with its backends and writers. */
const treeOf = (pid: number): number[] => [
  pid,
  ...orIfEnded([], () =>
    readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .flatMap((child) => treeOf(Number(child))),
    ),
  ),
]

/** CPU of a process and its descendants; exited ones count in hundredths of a second. */
export function treeCpuMs(pid: number) {
  const running = treeOf(pid).reduce((sum, one) => sum + orIfEnded(0, () => cpuMs(one)), 0)
  const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
  const [cutime, cstime] = fields.split(' ').slice(ENDED_CHILDREN, ENDED_CHILDREN + 2)
  return running + (Number(cutime) + Number(cstime)) * TICK_MS
}

/** A child may exit while it is read. */
function orIfEnded<T>(fallback: T, look: () => T) {
  try {
    return look()
  } catch {
    return fallback
  }
}

/** Index of cutime in /proc/PID/stat after the name. */
const ENDED_CHILDREN = 13
const TICK_MS = 10

/** PSS splits shared memory, such as Node's code, among processes; RSS counts it fully for each. */
export function memoryMiB(pid: number) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024
  return { pss: Math.round(of('Pss')), rss: Math.round(of('Rss')) }
}

/** CPU time of the machine: used, and used or idle. */
export function machineMs() {
  const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
  // The last two, guests, are included in the first two.
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, ...rest] = line
    .split(' ')
    .slice(0, 8)
    .map((ticks) => Number(ticks) * TICK_MS)
  const busy = rest.reduce((sum, part) => sum + part, user + nice + system)
  return { busy, all: busy + idle + wait }
}
