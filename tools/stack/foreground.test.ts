import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isTaken } from './process.ts'
import { freePort } from './settings.ts'

const POLL_MS = 50
const TIMEOUT_MS = 120_000
const STACK = import.meta.dirname

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-foreground-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A process of its own, as `npm run dev` is one: the foreground handles its signals. */
function runForeground(script: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { startForeground } from ${JSON.stringify(join(STACK, 'foreground.ts'))}
       import { viteProgram } from ${JSON.stringify(join(STACK, 'dev-programs.ts'))}
       import { readSettings } from ${JSON.stringify(join(STACK, 'settings.ts'))}
       const foreground = startForeground()
       void foreground.ended.then((code) => process.exit(code))
       ${script}`,
    ],
    // Vite colours its output where CI is set, which splits the words a test waits for.
    {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)))
  return {
    child,
    exit: once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
    output: () => output,
    untilSaid: async (text: string, times = 1) => {
      while (output.split(text).length <= times && child.exitCode === null)
        await setTimeout(POLL_MS)
      expect(output.split(text).length - 1, output).toBe(times)
    },
  }
}

const program = (args: string[]) => JSON.stringify({ title: 'API', args, folder, env: {} })

test(
  'npm run dev restarts the API each time an editor replaces a source by renaming another file',
  async () => {
    const sources = join(folder, 'src')
    mkdirSync(join(sources, 'deep'), { recursive: true })
    const source = join(sources, 'deep/value.ts')
    const replace = (value: string) => {
      writeFileSync(`${source}~`, `console.log('value ${value}'); setInterval(() => {}, 1000)`)
      renameSync(`${source}~`, source)
    }
    replace('one')
    const { child, exit, untilSaid } = runForeground(
      `foreground.runAndRestart(${program([source])}, ${JSON.stringify([sources])})`,
    )
    await untilSaid('value one')
    for (const value of ['two', 'three', 'four']) {
      replace(value)
      await untilSaid(`value ${value}`)
    }
    child.kill('SIGINT')
    expect(await exit).toEqual([0, null])
  },
  TIMEOUT_MS,
)

test(
  'npm run dev starts the API again after a mistake is corrected',
  async () => {
    const source = join(folder, 'value.ts')
    writeFileSync(source, `throw new Error('mistake')`)
    const { child, exit, untilSaid } = runForeground(
      `foreground.runAndRestart(${program([source])}, ${JSON.stringify([folder])})`,
    )
    await untilSaid('starts again when a source changes')
    writeFileSync(source, `console.log('corrected'); setInterval(() => {}, 1000)`)
    await untilSaid('corrected\n')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  },
  TIMEOUT_MS,
)

test(
  'npm run dev ends with an error if its web server can’t have its port',
  async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, resolve))
    const address = taken.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { exit, output } = runForeground(
      `foreground.runAndRestart(${program(['--eval', 'setInterval(() => {}, 1000)'])}, [])
       foreground.run(viteProgram(readSettings()))`,
      { SITE_PORT: String(port) },
    )
    expect(await exit, output()).toEqual([1, null])
    expect(output()).toContain(`Port ${port} is already in use`)
    expect(output()).toContain('Vite ended, so the rest ends too.')
    await new Promise((resolve) => taken.close(resolve))
  },
  TIMEOUT_MS,
)

test.each(['SIGINT', 'SIGTERM'] as const)(
  'npm run dev ended by %s leaves no web server behind',
  async (signal) => {
    const port = await freePort()
    const { child, exit, untilSaid } = runForeground(
      `foreground.run(viteProgram(readSettings()))`,
      { SITE_PORT: String(port) },
    )
    await untilSaid('Local:')
    child.kill(signal)
    expect(await exit).toEqual([0, null])
    expect(await isTaken(port)).toBe(false)
  },
  TIMEOUT_MS,
)
