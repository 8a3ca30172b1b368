import { spawnSync } from 'node:child_process'

/**
 * Browser tests against the real stack, which is started if it is down, and stopped again. They sign in more often than people
 * do, so the limits in front of Keycloak are raised for them.
 */
const RAISED = {
  SIGN_INS_PER_MINUTE: '6000',
  SIGN_INS_BURST: '6000',
  SIGN_INS_PER_SECOND: '6000',
  REGISTRATIONS_PER_MINUTE: '6000',
  REGISTRATIONS_BURST: '6000',
}
const wasUp = run('node', ['tools/stack/stack.ts', 'status'], { stdio: 'ignore' }) === 0
if (!wasUp && run('node', ['tools/stack/stack.ts', 'up']) !== 0) process.exit(1)
restartFront(RAISED)
const status = run('npm', ['run', '--silent', 'e2e', '-w', 'e2e', '--', ...process.argv.slice(2)])
if (wasUp) restartFront({})
else run('node', ['tools/stack/stack.ts', 'down'])
process.exit(status ?? 1)

function restartFront(limits: Record<string, string>) {
  run('node', ['tools/stack/stack.ts', 'stop', 'identity'])
  run('node', ['tools/stack/stack.ts', 'start', 'identity'], { limits })
}

type How = { stdio?: 'inherit' | 'ignore'; limits?: Record<string, string> }

function run(command: string, args: string[], { stdio = 'inherit', limits = {} }: How = {}) {
  return spawnSync(command, args, { stdio, env: { ...process.env, ...limits } }).status
}
