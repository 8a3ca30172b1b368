import { spawnSync } from 'node:child_process'

/** Browser tests against the real stack, which is started if it is down, and stopped again. */
const wasUp = run('node', ['tools/stack/stack.ts', 'status'], 'ignore') === 0
if (!wasUp && run('node', ['tools/stack/stack.ts', 'up']) !== 0) process.exit(1)
const status = run('npm', ['run', '--silent', 'e2e', '-w', 'e2e', '--', ...process.argv.slice(2)])
if (!wasUp) run('node', ['tools/stack/stack.ts', 'down'])
process.exit(status ?? 1)

function run(command: string, args: string[], stdio: 'inherit' | 'ignore' = 'inherit') {
  return spawnSync(command, args, { stdio }).status
}
