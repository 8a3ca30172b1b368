import type { Case } from './cases.ts'
import { countCase, counting, type Counted } from './count-statements.ts'
import { machineMs, treeCpuMs } from './process-stats.ts'
import { measureCpu } from './rounds.ts'
import { requireEqualResponses } from './require-equal-responses.ts'
import type { BenchEnvironment } from './bench-environment.ts'
import type { Row } from './table.ts'

export async function countSides(scene: BenchEnvironment) {
  await requireEqualResponses(scene)
  return counting(scene, async () => {
    const found = new Map<string, Counted>()
    for (const one of scene.cases) found.set(one.name, await countCase(scene, one))
    return found
  })
}

export async function measureSides(scene: BenchEnvironment, rounds: number): Promise<Row[]> {
  const counts = await countSides(scene)
  // Reads first: new rows would be more expensive to count.
  const [writes, reads] = [true, false].map((isWrite) =>
    scene.cases.filter((one) => (one.isWrite ?? false) === isWrite),
  ) as [Case[], Case[]]
  const cpu = new Map([
    ...(await measureCpu(scene, reads, rounds)),
    ...(await measureCpu(scene, writes, rounds)),
  ])
  return scene.cases.flatMap(({ name }) => {
    const [count, compared] = [counts.get(name), cpu.get(name)]
    return count && compared ? [{ name, count, cpu: compared }] : []
  })
}

/** `others` is the share of the machine's CPU used by other processes. */
export async function watching<T>(
  { postgres }: Pick<BenchEnvironment, 'postgres'>,
  run: () => Promise<T>,
) {
  const own = () => treeCpuMs(process.pid) + treeCpuMs(postgres.pid)
  const before = { own: own(), machine: machineMs() }
  const result = await run()
  const machine = machineMs()
  const others = machine.busy - before.machine.busy - (own() - before.own)
  return { result, others: Math.max(0, others) / (machine.all - before.machine.all) }
}
