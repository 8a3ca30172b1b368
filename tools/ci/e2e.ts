import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePorts } from '../stack/settings.ts'

/**
 * Browser tests against the real stack, which is started if it is down, and stopped again: journeys, then `outages`, which mostly
 * waits, beside `identity`, which needs a stack with ADMIN_MFA=on: the given one, otherwise its own. Arguments go to Playwright;
 * `--project=identity` or a file `identity…` selects that stack, E2E_IDENTITY=off leaves its tests out. They sign in more often than
 * users do, so nginx's limits in front of Keycloak are raised for them.
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
type Env = Record<string, string>

const asked = process.argv.slice(2)
const isIdentity = asked.some((arg) => /^(--project=)?identity/.test(arg))
const isEverything = asked.length === 0
const hasProject = asked.some((arg) => arg.startsWith('--project'))

process.exit((await runAsked()) ? 0 : 1)

async function runAsked() {
  if (isEverything) return runEverything()
  const projects = hasProject ? [] : ['--project=journeys', '--project=outages']
  if (isIdentity) return onStack(await withFactors(), (env) => play(['--project=identity'], env))
  return onStack({}, (env) => play(projects, env))
}

function runEverything() {
  return onStack({}, async (env) => {
    const areJourneysRight = await play(['--project=journeys'], env)
    const outages = () =>
      play(['--project=outages', '--no-deps'], { ...env, TEST_PART: 'outages-1' })
    const isRestRight = await (process.env['E2E_IDENTITY'] === 'off' ? outages() : beside(outages))
    return areJourneysRight && isRestRight
  })
}

/** The second stack starts first: it may build the site again, which both serve from one folder. */
async function beside(outages: () => Promise<boolean>) {
  return onStack(await withFactors(), async (env) => {
    const identity = play(['--project=identity'], { ...env, TEST_PART: 'identity-1' })
    const results = await Promise.all([outages(), identity])
    return results.every(Boolean)
  })
}

async function withFactors(): Promise<Env> {
  return process.env['ADMIN_MFA'] === 'on' ? {} : { ...(await freePorts()), ADMIN_MFA: 'on' }
}

function play(args: string[], env: Env) {
  return run(['npm', 'run', '--silent', 'e2e', '-w', 'e2e', '--', ...args, ...asked], env)
}

async function onStack(env: Env, test: (env: Env) => Promise<boolean>) {
  const stack = (args: string[], more: Env = {}, stdio?: Stdio) =>
    run(['node', 'tools/stack/stack.ts', ...args], { ...env, ...more }, stdio)
  const restartIdentityProxy = async (limits: Env) => {
    await stack(['stop', 'identity'])
    await stack(['start', 'identity'], limits)
  }
  const wasUp = await stack(['status'], {}, 'ignore')
  if (!wasUp && !(await stack(['up']))) return false
  await restartIdentityProxy(RAISED)
  const isOk = await test(env)
  if (wasUp) await restartIdentityProxy({})
  // A stack on free ports can't be found by later runs.
  else await stack([env['ADMIN_MFA'] ? 'reset' : 'down'])
  return isOk
}

type Stdio = 'inherit' | 'ignore'

async function run([program = '', ...args]: string[], env: Env, stdio: Stdio = 'inherit') {
  const child = spawn(program, args, { stdio, env: { ...process.env, ...env } })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}
