import { setTimeout } from 'node:timers/promises'
import { asPerson, bearer, TICKET, tokenOf } from './compose-account.ts'
import { asVisitor, confined, fromOutside, type ComposeEnvironment } from './compose-requests.ts'
import { serviceOf, type Project } from './kit/containers/compose-project.ts'
import { seconds, type Result } from './kit/results.ts'
import type { HttpResponse } from './kit/http-clients.ts'

const CHECKOUT = new URL('../..', import.meta.url).pathname
const IDENTITY_TIMEOUT_MS = 300_000
const CONTEXT_MAX_MB = 20
/** Checks that fail for the sample without a relay, in a container that can't resolve the site's names. */
const EXPECTED = ['configuration', 'identity provider', 'mail', 'site', 'certificate']

export async function runChecks(stage: ComposeEnvironment): Promise<Result[]> {
  const before = [parses(stage), context(stage)]
  const started = await starts(stage)
  if (started.some(({ isRight }) => !isRight)) {
    console.log(stage.project.logs())
    return [...before, ...started]
  }
  return [
    ...before,
    ...started,
    ...(await asVisitor(stage)),
    ...(await fromOutside(stage)),
    ...confined(stage),
    ...(await asPerson(stage)),
    doctor(stage),
    await secondTime(stage),
    await anotherApi(stage),
    await downAndUp(stage),
  ]
}

function parses({ project }: ComposeEnvironment): Result {
  const services = project.must('config', '--services').split('\n').sort()
  return { title: 'compose.yaml', isRight: services.length === 7, figure: services.join(', ') }
}

/** A larger context contains this checkout's packages: .dockerignore has a gap. */
function context({ docker }: ComposeEnvironment): Result {
  const size = docker.contextOf(CHECKOUT)
  const isRight =
    size.endsWith('kB') || (size.endsWith('MB') && Number.parseFloat(size) < CONTEXT_MAX_MB)
  return { title: 'build context', isRight, figure: size }
}

async function starts({ project, visit, identity }: ComposeEnvironment): Promise<Result[]> {
  const begun = Date.now()
  project.up()
  const waiting = await project.settle()
  const settledAfter = seconds(begun)
  const discovery = await untilFound(() => visit(`${identity}${DISCOVERY}`))
  return [
    {
      title: 'healthy, or completed',
      isRight: waiting.length === 0,
      figure: waiting.join(', ') || `all after ${settledAfter} s`,
    },
    {
      title: 'identity provider',
      isRight: issuerOf(discovery) === `${identity}/realms/gatehouse`,
      figure: `${discovery.status} after ${seconds(begun)} s`,
    },
  ]
}

function doctor({ project }: ComposeEnvironment): Result {
  const { stdout } = project.exec('api', 'node', 'api/dist/doctor.js', '--json')
  const findings = JSON.parse(stdout) as { check: string; level: string; what: string }[]
  const failures = findings.filter(({ level }) => level === 'failure')
  const unexpected = failures.filter(({ check }) => !EXPECTED.includes(check))
  const well = findings.filter(({ level }) => level === 'ok').length
  return {
    title: 'doctor in the container',
    isRight: well > 0 && unexpected.length === 0,
    figure:
      unexpected.map(({ what }) => what).join('; ') ||
      `${well} ok, ${failures.length} failed as expected: ${[...new Set(failures.map(({ check }) => check))].join(', ')}`,
  }
}

const DISCOVERY = '/realms/gatehouse/.well-known/openid-configuration'
const issuerOf = ({ status, body }: HttpResponse) =>
  status === 200 ? (JSON.parse(body) as { issuer: string }).issuer : null

async function secondTime({ project }: ComposeEnvironment): Promise<Result> {
  const before = running(project)
  project.up()
  await project.settle()
  const after = running(project)
  return {
    title: 'a second up',
    isRight: before === after,
    figure: before === after ? 'changes nothing' : after,
  }
}

const running = (project: Project) =>
  project
    .containers()
    .filter(({ State }) => State.Status === 'running')
    .map((container) => `${serviceOf(container)} ${container.Id} ${container.State.StartedAt}`)
    .sort()
    .join('\n')

/** Like an upgrade: the new containers have other IP addresses. */
async function anotherApi({ project, visit, site }: ComposeEnvironment): Promise<Result> {
  project.up('--force-recreate', '--scale', 'api=2', 'api')
  await project.settle()
  const { status } = await untilFound(() => visit(`${site}/healthz`))
  return { title: 'two new containers of the API', isRight: status === 200, figure: String(status) }
}

async function downAndUp(environment: ComposeEnvironment): Promise<Result> {
  const { project, visit, site, identity } = environment
  project.must('down')
  const begun = Date.now()
  project.up()
  await project.settle()
  await untilFound(() => visit(`${identity}${DISCOVERY}`))
  const list = await visit(`${site}/api/tickets`, { headers: bearer(await tokenOf(environment)) })
  const isKept = list.status === 200 && list.body.includes(TICKET.subject)
  return {
    title: 'down and up again',
    isRight: isKept,
    figure: isKept ? `account and ticket still exist, ${seconds(begun)} s` : `${list.status}`,
  }
}

async function untilFound(ask: () => Promise<HttpResponse>) {
  const deadline = Date.now() + IDENTITY_TIMEOUT_MS
  for (;;) {
    const response = await ask().catch(() => ({ status: 0, headers: {}, body: '' }))
    if (response.status === 200 || Date.now() > deadline) return response
    await setTimeout(500)
  }
}
