import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { startMailRelay, type MailRelaySettings, type ReceivedMail } from './mail-relay.ts'
import { startNameServer } from './name-server.ts'

type Settings = { address: string; names: Record<string, string>; relay: MailRelaySettings }

/**
 * A name server and a mail relay in a thread of their own: the drill's own thread waits for each command, and both must respond
 * meanwhile.
 */
export async function startNetworkServices(settings: Settings) {
  const worker = new Worker(new URL(import.meta.url), { workerData: settings })
  const mails: ReceivedMail[] = []
  await once(worker, 'message')
  worker.on('message', (mail: ReceivedMail) => mails.push(mail))
  return {
    /** After those that arrived while the drill waited for a command. */
    readMails: async () => {
      await setTimeout(100)
      return mails
    },
    stop: () => worker.terminate(),
  }
}

export type NetworkServices = Awaited<ReturnType<typeof startNetworkServices>>

if (parentPort) {
  const { address, names, relay } = workerData as Settings
  await startNameServer(address, names)
  await startMailRelay(relay, (mail) => parentPort?.postMessage(mail))
  parentPort.postMessage('ready')
}
