import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { nginxProgram } from '../../../tools/stack/nginx.ts'
import { isTaken } from '../../../tools/stack/process.ts'
import { freePort, readSettings } from '../../../tools/stack/settings.ts'

type Options = {
  directory: string
  replicas: number[]
  over?: Record<string, string>
}

export async function startSite({ directory, replicas, over = {} }: Options) {
  const port = await freePort()
  const { command, args } = nginxProgram(readSettings(), {
    directory,
    over: {
      LISTEN: `127.0.0.1:${port}`,
      API_SERVERS: replicas
        .map((replica) => `server 127.0.0.1:${replica} fail_timeout=1s;`)
        .join(' '),
      ...over,
    },
  })
  const nginx = spawn(command, args, { stdio: 'ignore' })
  while (!(await isTaken(port))) {
    if (nginx.exitCode !== null) throw new Error('nginx exited before it listened')
    await setTimeout(50)
  }
  return {
    port,
    base: `http://127.0.0.1:${port}`,
    stop: async () => {
      nginx.kill()
      if (nginx.exitCode === null) await once(nginx, 'exit')
    },
  }
}
