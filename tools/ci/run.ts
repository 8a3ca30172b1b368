import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type Step = { name: string; command: string[] }
export type Done = { name: string; isOk: boolean; seconds: number }

/** Static checks, independent of each other. */
export const STATIC: Step[] = [
  { name: 'format', command: ['prettier', '--check', '.', '--log-level', 'warn'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'types', command: ['tsc', '-p', '.'] },
  {
    name: 'imports',
    command: [
      'depcruise',
      ...'api web model tools ops bench e2e sample vitest.config.ts'.split(' '),
    ],
  },
  { name: 'dead code', command: ['knip'] },
  {
    name: 'sql',
    command: ['sh', '-c', 'squawk $(ls api/migrations/*.sql site/migrations/*.sql 2>/dev/null)'],
  },
  { name: 'notice', command: ['node', 'tools/notice/check.ts'] },
  { name: 'reference', command: ['node', 'tools/docs/reference.ts', '--check'] },
  { name: 'architecture', command: ['node', 'tools/docs/architecture.ts', '--check'] },
]

/** Needs npm's PATH. Unless `isAlone`, output is buffered and printed only on failure. */
export async function runStep(
  { name, command }: Step,
  env: NodeJS.ProcessEnv = process.env,
  { isAlone = true } = {},
): Promise<Done> {
  const started = Date.now()
  const [program = '', ...args] = command
  const child = spawn(program, args, { env, stdio: isAlone ? 'inherit' : 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  const done = { name, isOk: code === 0, seconds: (Date.now() - started) / 1000 }
  if (output && !done.isOk) console.log(output.trimEnd())
  console.log(`${done.isOk ? 'ok' : 'FAILED'}  ${name}  ${done.seconds.toFixed(1)} s`)
  return done
}

export async function runBeside(parts: Step[], width: number, env?: NodeJS.ProcessEnv) {
  const waiting = [...parts]
  const done: Done[] = []
  const worker = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift())
      done.push(await runStep(part, env, { isAlone: false }))
  }
  await Promise.all(Array.from({ length: width }, worker))
  return done
}
