import { setTimeout } from 'node:timers/promises'
import { serviceOf, type Project } from './kit/compose-project.ts'
import type { Docker } from './kit/docker.ts'
import { seconds, type Result } from './kit/results.ts'
import { signIn } from './kit/sign-in.ts'
import type { Answer, Visitor } from './kit/visitor.ts'

const CHECKOUT = new URL('../..', import.meta.url).pathname
const IDENTITY_TIMEOUT_MS = 300_000
const CONTEXT_MAX_MB = 20
/** Those that write nothing but what they are for. */
const HARDENED = ['api', 'site']
const ADMINISTRATION = ['/', '/admin/', '/admin/master/console/', '/realms/master/', '/metrics']
/** As the health check of the image does. */
const ASK_READY = `fetch('http://127.0.0.1:8081/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))`
const PERSON = { username: 'erin', password: 'a-password-of-her-own' }
const TICKET = { fullName: 'Erin', email: 'erin@gatehouse.test', subject: 'Kept', message: 'Hello' }
/** What the doctor must find in the sample, in a container that does not know the names of the site. */
const EXPECTED = ['configuration', 'identity provider', 'site', 'certificate']

type Stage = {
  docker: Docker
  project: Project
  administrator: { name: string; password: string }
  visit: Visitor
  http: number
  site: string
  identity: string
}

export async function askAll(stage: Stage): Promise<Result[]> {
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

function parses({ project }: Stage): Result {
  const services = project.must('config', '--services').split('\n').sort()
  return { title: 'compose.yaml', isRight: services.length === 6, figure: services.join(', ') }
}

/** Neither the packages of this checkout nor anybody's settings are part of an image. */
function context({ docker }: Stage): Result {
  const size = docker.contextOf(CHECKOUT)
  const isRight =
    size.endsWith('kB') || (size.endsWith('MB') && Number.parseFloat(size) < CONTEXT_MAX_MB)
  return { title: 'sent to a build', isRight, figure: size }
}

async function starts({ project, visit, identity }: Stage): Promise<Result[]> {
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

const DISCOVERY = '/realms/gatehouse/.well-known/openid-configuration'
const issuerOf = ({ status, body }: Answer) =>
  status === 200 ? (JSON.parse(body) as { issuer: string }).issuer : null

async function asVisitor({ project, visit, http, site, identity }: Stage): Promise<Result[]> {
  const page = await visit(`${site}/`)
  const policy = String(page.headers['content-security-policy'])
  const config = await visit(`${site}/config.json`)
  const ready = project.exec('api', 'node', '-e', ASK_READY)
  const [through, models] = [await visit(`${site}/readyz`), await visit(`${site}/api/models`)]
  const { status, headers } = await fetch(`http://127.0.0.1:${http}/x?y=1`, { redirect: 'manual' })
  const made = project.exec(
    'site',
    'test',
    '-s',
    '/var/lib/gatehouse/pages/msp/services/index.html',
  )
  return [
    { title: 'landing page', isRight: page.status === 200, figure: String(page.status) },
    {
      title: 'policy names the identity provider',
      isRight: policy.includes(`connect-src 'self' ${identity};`),
      figure: identity,
    },
    {
      title: 'config.json',
      isRight: config.body.includes(`"authority":"${identity}/realms/gatehouse"`),
      figure: config.body.trim(),
    },
    {
      title: 'readyz on the API’s port alone',
      isRight: ready.status === 0 && through.status === 404,
      figure: `${ready.status === 0 ? 'ready' : 'not ready'}, ${through.status} through the site`,
    },
    {
      title: 'models through the site',
      isRight: models.status === 200,
      figure: `${models.status}, ${models.body.length} bytes`,
    },
    {
      title: 'http leads to https',
      isRight: status === 308 && headers.get('location') === `${site}/x?y=1`,
      figure: `${status} ${headers.get('location')}`,
    },
    {
      title: 'pages the API makes reach the site',
      isRight: made.status === 0,
      figure: made.status === 0 ? 'the catalogue' : 'none',
    },
  ]
}

async function fromOutside({ visit, identity }: Stage): Promise<Result[]> {
  const answers = await Promise.all(
    ADMINISTRATION.map(async (path) => `${path} ${(await visit(identity + path)).status}`),
  )
  return [
    {
      title: 'administration from outside',
      isRight: answers.every((answer) => answer.endsWith(' 404')),
      figure: answers.join(', '),
    },
  ]
}

function confined({ project }: Stage): Result[] {
  const containers = project.containers().filter((one) => HARDENED.includes(serviceOf(one)))
  const held = containers.every(
    ({ HostConfig: { ReadonlyRootfs, CapDrop } }) => ReadonlyRootfs && CapDrop?.includes('ALL'),
  )
  const users = [...HARDENED, 'keycloak'].map(
    (service) => `${service} ${project.exec(service, 'id', '-u').stdout.trim()}`,
  )
  const written = HARDENED.filter((name) => project.exec(name, 'touch', '/etc/x').status === 0)
  return [
    {
      title: 'read-only, without capabilities',
      isRight: held && containers.length === HARDENED.length && written.length === 0,
      figure: HARDENED.join(', '),
    },
    {
      title: 'users',
      isRight: users.every((user) => / [1-9]\d*$/.test(user)),
      figure: users.join(', '),
    },
  ]
}

/** Made as the operator's guide says, then signed in from outside. */
async function asPerson(stage: Stage): Promise<Result[]> {
  const { visit, site } = stage
  makePerson(stage)
  const unknown = await visit(`${site}/api/me`)
  const token = await tokenOf(stage)
  const me = await visit(`${site}/api/me`, { headers: bearer(token) })
  const ticket = await visit(`${site}/api/tickets`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify(TICKET),
  })
  const system = await visit(`${site}/api/system`, { headers: bearer(token) })
  return [
    { title: 'without a token', isRight: unknown.status === 401, figure: String(unknown.status) },
    { title: 'signed in from outside', isRight: me.status === 200, figure: me.body },
    { title: 'a ticket of hers', isRight: ticket.status === 201, figure: String(ticket.status) },
    { title: 'she is an admin', isRight: system.status === 200, figure: String(system.status) },
  ]
}

function makePerson({ project, administrator }: Stage) {
  const { username, password } = PERSON
  const script = `set -e
    kcadm() { command=$1; shift; /opt/keycloak/bin/kcadm.sh $command "$@" --config /tmp/kcadm; }
    kcadm config credentials --server http://localhost:8080 --realm master --user ${administrator.name} --password ${administrator.password}
    kcadm create users -r gatehouse -s username=${username} -s enabled=true -s email=${TICKET.email} -s firstName=Erin -s lastName=Erin
    kcadm set-password -r gatehouse --username ${username} --new-password ${password}
    kcadm add-roles -r gatehouse --uusername ${username} --rolename admin`
  const { status, stderr } = project.exec('keycloak', 'sh', '-c', script)
  if (status !== 0) throw new Error(`Nobody could be made in Keycloak: ${stderr}`)
}

const tokenOf = ({ visit, identity, site }: Stage) =>
  signIn({ visit, issuer: `${identity}/realms/gatehouse`, site, ...PERSON })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function doctor({ project }: Stage): Result {
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
      `${well} well, ${failures.length} as expected: ${[...new Set(failures.map(({ check }) => check))].join(', ')}`,
  }
}

async function secondTime({ project }: Stage): Promise<Result> {
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

/** As after an upgrade: a new container has another address. */
async function anotherApi({ project, visit, site }: Stage): Promise<Result> {
  project.up('--force-recreate', '--scale', 'api=2', 'api')
  await project.settle()
  const { status } = await untilFound(() => visit(`${site}/healthz`))
  return { title: 'two new containers of the API', isRight: status === 200, figure: String(status) }
}

async function downAndUp(stage: Stage): Promise<Result> {
  const { project, visit, site, identity } = stage
  project.must('down')
  const begun = Date.now()
  project.up()
  await project.settle()
  await untilFound(() => visit(`${identity}${DISCOVERY}`))
  const list = await visit(`${site}/api/tickets`, { headers: bearer(await tokenOf(stage)) })
  const isKept = list.status === 200 && list.body.includes(TICKET.subject)
  return {
    title: 'down, and up again',
    isRight: isKept,
    figure: isKept ? `person and ticket are kept, ${seconds(begun)} s` : `${list.status}`,
  }
}

async function untilFound(ask: () => Promise<Answer>) {
  const deadline = Date.now() + IDENTITY_TIMEOUT_MS
  for (;;) {
    const answer = await ask().catch(() => ({ status: 0, headers: {}, body: '' }))
    if (answer.status === 200 || Date.now() > deadline) return answer
    await setTimeout(500)
  }
}
