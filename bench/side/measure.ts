import type { Case } from './cases.ts'
import { countCase, counting, type Count } from './count.ts'
import { machineMs, treeCpuMs } from './proc.ts'
import { measureCpu } from './rounds.ts'
import { requireSame } from './same.ts'
import type { Scene, Side } from './scene.ts'
import type { Row } from './table.ts'

/** Answers compared first, then counted on clean tables, then the CPU. */
export async function measureSides(scene: Scene, rounds: number): Promise<Row[]> {
  await requireSame(scene)
  const counts = await counting(scene, async () => {
    const found = new Map<string, Record<Side, Count>>()
    for (const one of scene.cases) found.set(one.name, await countCase(scene, one))
    return found
  })
  const cpu = await measureCpu(scene, scene.cases, rounds)
  return scene.cases.flatMap(({ name }: Case) => {
    const [count, paired] = [counts.get(name), cpu.get(name)]
    return count && paired ? [{ name, count, ...paired }] : []
  })
}

/** Runs something and tells which part of the machine's CPU others used during it. */
export async function watching<T>(
  scene: Pick<Scene, 'servers' | 'postgres'>,
  run: () => Promise<T>,
) {
  const own = () =>
    [process.pid, scene.postgres.pid].map(treeCpuMs).reduce((sum, one) => sum + one, 0)
  const before = { own: own(), machine: machineMs() }
  const result = await run()
  const machine = machineMs()
  const others = machine.busy - before.machine.busy - (own() - before.own)
  return { result, others: Math.max(0, others) / (machine.all - before.machine.all) }
}
