import { setTimeout } from 'node:timers/promises'
import { memoryMiB } from '../compare/process-stats.ts'
import { startServer } from '../compare/bench-environment.ts'
import { spreadOf } from '../compare/median-range.ts'

const STARTS = 5
/** Long enough to free the memory used by the start. */
const REST_MS = 15_000

/** Our API with its worker, as shipped: time from start to ready, and idle memory. */
export async function measureIdle(env: Record<string, string>) {
  const shipped = { ...env, WORKER: 'on' }
  const ready: number[] = []
  for (let start = 0; start < STARTS; start++) {
    const server = await startServer('ours', shipped)
    ready.push(server.readyMs)
    await server.stop()
  }
  const server = await startServer('ours', shipped)
  await setTimeout(REST_MS)
  const memory = memoryMiB(server.pid)
  await server.stop()
  return { ...memory, readyMs: spreadOf(ready) }
}
