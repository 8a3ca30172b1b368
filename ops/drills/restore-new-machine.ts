import { drillMachines, onMachine } from './kit/containers/machines.ts'
import { loseMachine } from './restore-new-machine-lost.ts'
import { restoreMachine } from './restore-new-machine-restored.ts'
import { restoreServers } from './restore-new-machine-server.ts'

/**
 * Machine A is destroyed while it serves; machine B has the release, the recovery kit and the bucket, and nothing else. The person,
 * her second factor and her ticket must be there, and at most a minute of what was written. With containers, then on servers;
 * `npm run drill -- restore-new-machine server`: on these alone.
 */
export async function restoreNewMachine(only?: string) {
  const isRight = only === 'server' || (await restoreContainers())
  return (only === 'containers' || (await restoreServers())) && isRight
}

const restoreContainers = () =>
  drillMachines('restore-new-machine', async (machines) => {
    const lost = await onMachine(
      await machines.startMachine('a', machines.certificate),
      (machine) => loseMachine(machines, machine),
    )
    if (!lost.kit) return lost.results
    const restored = await onMachine(await machines.startMachine('b'), (machine) =>
      restoreMachine(machines, machine, lost),
    )
    return [...lost.results, ...restored]
  })
