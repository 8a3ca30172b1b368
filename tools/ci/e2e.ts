import { spawnSync } from 'node:child_process'
import { freePorts } from '../stack/settings.ts'

/**
 * Browser tests against the real stack, which is started if it is down, and stopped again. They sign in more often than users
 * do, so nginx's limits in front of Keycloak are raised for them. The identity tests need a stack with ADMIN_MFA=on: the given
 * one, otherwise their own.
 */
const RAISED = {
  SIGN_INS_PER_MINUTE: '6000',
  SIGN_INS_BURST: '6000',
  SIGN_INS_PER_SECOND: '6000',
  REGISTRATIONS_PER_MINUTE: '6000',
  REGISTRATIONS_BURST: '6000',
  RESETS_PER_MINUTE: '6000',
  RESETS_BURST: '6000',
}
const asked = process.argv.slice(2)
const isIdentity = asked.some((arg) => arg.startsWith('identity'))
const statuses: (number | null)[] = []
if (!isIdentity) statuses.push(test(['journeys', 'outages'], {}))
if (isIdentity || asked.length === 0) statuses.push(test(['identity'], await withFactors()))
process.exit(statuses.find((status) => status !== 0) ?? 0)

async function withFactors() {
  return process.env['ADMIN_MFA'] === 'on' ? {} : { ...(await freePorts()), ADMIN_MFA: 'on' }
}

type Env = Record<string, string>

function test(projects: string[], env: Env) {
  const run = (command: string, args: string[], more: Env = {}, stdio: Stdio = 'inherit') =>
    spawnSync(command, args, { stdio, env: { ...process.env, ...env, ...more } }).status
  const stack = (args: string[], more: Env = {}, stdio?: Stdio) =>
    run('node', ['tools/stack/stack.ts', ...args], more, stdio)
  const restartFront = (limits: Env) => {
    stack(['stop', 'identity'])
    stack(['start', 'identity'], limits)
  }
  const wasUp = stack(['status'], {}, 'ignore') === 0
  if (!wasUp && stack(['up']) !== 0) return 1
  restartFront(RAISED)
  const args = [...projects.map((name) => `--project=${name}`), ...asked]
  const status = run('npm', ['run', '--silent', 'e2e', '-w', 'e2e', '--', ...args])
  if (wasUp) restartFront({})
  // A stack on free ports can't be found by later runs.
  else stack([env['ADMIN_MFA'] ? 'reset' : 'down'])
  return status
}

type Stdio = 'inherit' | 'ignore'
