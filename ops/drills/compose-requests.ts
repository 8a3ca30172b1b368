import { serviceOf, type Project } from './kit/containers/compose-project.ts'
import type { Docker } from './kit/containers/docker.ts'
import type { Result } from './kit/results.ts'
import type { Visitor } from './kit/http-clients.ts'

/** Services with a read-only file system. */
const HARDENED = ['api', 'site']
const ADMINISTRATION = ['/', '/admin/', '/admin/master/console/', '/realms/master/', '/metrics']
/** Same request as the image's health check. */
const ASK_READY = `fetch('http://127.0.0.1:8081/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))`

export type ComposeEnvironment = {
  docker: Docker
  project: Project
  /** Secret of the account that applies the realm. */
  realmSecret: string
  visit: Visitor
  http: number
  site: string
  identity: string
}

export async function asVisitor({
  project,
  visit,
  http,
  site,
  identity,
}: ComposeEnvironment): Promise<Result[]> {
  const page = await visit(`${site}/`)
  const policy = String(page.headers['content-security-policy'])
  const config = await visit(`${site}/config.json`)
  const ready = project.exec('api', 'node', '-e', ASK_READY)
  const [through, models] = [await visit(`${site}/readyz`), await visit(`${site}/api/models`)]
  const { status, headers } = await fetch(`http://127.0.0.1:${http}/x?y=1`, { redirect: 'manual' })
  const created = project.exec(
    'site',
    'sh',
    '-c',
    'test -s /var/lib/gatehouse/pages/$(cat /etc/gatehouse/build-id)/services/index.html',
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
      isRight:
        config.body.includes(`"authority":"${identity}/realms/gatehouse"`) &&
        config.body.includes('"productPages":true'),
      figure: config.body.trim(),
    },
    {
      title: '/readyz only on the API’s port',
      isRight: ready.status === 0 && through.status === 404,
      figure: `${ready.status === 0 ? 'ready' : 'not ready'}, ${through.status} through the site`,
    },
    {
      title: 'models through the site',
      isRight: models.status === 200,
      figure: `${models.status}, ${models.body.length} bytes`,
    },
    {
      title: 'http redirects to https',
      isRight: status === 308 && headers.get('location') === `${site}/x?y=1`,
      figure: `${status} ${headers.get('location')}`,
    },
    {
      title: 'the site serves pages rendered by the API',
      isRight: created.status === 0,
      figure: created.status === 0 ? 'the catalogue' : 'none',
    },
  ]
}

export async function fromOutside({ visit, identity }: ComposeEnvironment): Promise<Result[]> {
  const responses = await Promise.all(
    ADMINISTRATION.map(async (path) => `${path} ${(await visit(identity + path)).status}`),
  )
  return [
    {
      title: 'administration closed from outside',
      isRight: responses.every((response) => response.endsWith(' 404')),
      figure: responses.join(', '),
    },
  ]
}

export function confined({ project }: ComposeEnvironment): Result[] {
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
