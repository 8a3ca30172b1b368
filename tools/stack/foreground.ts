import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const POLL_MS = 500

export type Program = { title: string; args: string[]; folder: string; env: NodeJS.ProcessEnv }

/**
 * Programs of Node in the foreground. They end together: by a signal, or when one of them exits by itself. `ended` resolves with the
 * exit code after the last of them.
 */
export function startForeground() {
  const children = new Set<ChildProcess>()
  const { promise: ended, resolve } = Promise.withResolvers<number>()
  let exitCode: number | null = null
  const end = (code: number, signal: NodeJS.Signals) => {
    exitCode ??= code
    for (const child of children) child.kill(signal)
    if (children.size === 0) resolve(exitCode)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(0, signal))

  function start({ args, folder, env }: Program, onExit: () => void) {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    children.add(child)
    child.once('exit', () => {
      children.delete(child)
      if (exitCode === null) onExit()
      else if (children.size === 0) resolve(exitCode)
    })
    return child
  }

  return {
    ended,
    run: (program: Program) => {
      start(program, () => {
        console.error(`${program.title} ended, so the rest ends too.`)
        end(1, 'SIGTERM')
      })
    },
    /** A program that failed is started again by the next change, like one that runs. */
    runAndRestart: (program: Program, sources: string[]) => {
      let hasChanged = false
      const onExit = () => {
        if (hasChanged) restart()
        else console.error(`${program.title} ended; it starts again when a source changes.`)
      }
      let child = start(program, onExit)
      const restart = () => {
        hasChanged = false
        console.log(`Restarting: ${program.title}`)
        child = start(program, onExit)
      }
      const polling = watchSources(sources, () => {
        if (!children.has(child)) return restart()
        hasChanged = true
        child.kill('SIGTERM')
      })
      void ended.then(() => clearInterval(polling))
    },
  }
}

/** Polls by name: a watched file that an editor replaces by renaming another is no longer the file at that name. */
function watchSources(folders: string[], onChange: () => void) {
  let last = stateOfSources(folders)
  return setInterval(() => {
    const state = stateOfSources(folders)
    if (state === last) return
    last = state
    onChange()
  }, POLL_MS)
}

const stateOfSources = (folders: string[]) =>
  folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { encoding: 'utf8', recursive: true }).map((name) => join(folder, name)),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `${file} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs}`)
    .join()
