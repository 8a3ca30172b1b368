import { serviceOf, type Deployment } from './kit/containers/deployment.ts'
import type { Docker } from './kit/containers/docker.ts'
import type { ReleaseFolder } from './kit/containers/release-folder.ts'
import type { Result } from './kit/results.ts'
import type { Visitor } from './kit/http-clients.ts'
import type { NetworkServices } from './kit/network-services.ts'

const ADMINISTRATION = ['/', '/admin/', '/admin/master/console/', '/realms/master/', '/metrics']
/** Same request as the image's health check. */
const ASK_READY = `fetch('http://127.0.0.1:8081/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))`
/** As a Prometheus in Compose's network would. */
const ASK_METRICS = `fetch('http://api:9464/metrics').then(async (r) => console.log((await r.text()).includes('gatehouse_ready 1')))`
const MEMORY_MAX_BYTES = 4 * 2 ** 30

export type ComposeEnvironment = {
  docker: Docker
  /** Files that `npm run release -- build` has written. */
  release: ReleaseFolder
  services: NetworkServices
  visit: Visitor
  site: string
  identity: string
  answers: Record<string, string>
  /** For a second site beside the first. */
  otherAnswers: Record<string, string>
  /** Unpacks the release into a folder of this name. */
  deploy: (name: string) => Deployment
}
export type Deployed = ComposeEnvironment & { deployment: Deployment }

export async function asVisitor({
  deployment,
  visit,
  site,
  identity,
  answers,
}: Deployed): Promise<Result[]> {
  const page = await visit(`${site}/`)
  const policy = String(page.headers['content-security-policy'])
  const config = await visit(`${site}/config.json`)
  const ready = deployment.exec('api', 'node', '-e', ASK_READY)
  const [through, models] = [await visit(`${site}/readyz`), await visit(`${site}/api/models`)]
  const { hostname } = new URL(site)
  const clear = await fetch('http://127.0.0.1/x?y=1', {
    redirect: 'manual',
    headers: { host: hostname },
  })
  const created = deployment.exec(
    'site',
    'sh',
    '-c',
    'test -s /var/lib/gatehouse/pages/$(cat /etc/gatehouse/build-id)/services/index.html',
  )
  const pdf = /href="(\/privacy-notice-[\d-]+\.pdf)"/.exec(
    (await visit(`${site}/privacy`)).body,
  )?.[1]
  const printed = pdf ? await visit(`${site}${pdf}`) : { status: 0 }
  const name = (answers['SITE_NAME'] ?? '').replaceAll('&', '&amp;').replaceAll("'", '&#x27;')
  return [
    {
      title: 'landing page with the own name',
      isRight: page.status === 200 && page.body.includes(name),
      figure: `${page.status}, ${name}`,
    },
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
      isRight: clear.status === 308 && clear.headers.get('location') === `${site}/x?y=1`,
      figure: `${clear.status} ${clear.headers.get('location')}`,
    },
    {
      title: 'the site serves pages rendered by the API',
      isRight: created.status === 0,
      figure: created.status === 0 ? 'the catalogue' : 'none',
    },
    {
      title: 'the notice is printed',
      isRight: printed.status === 200,
      figure: `${pdf} ${printed.status}`,
    },
  ]
}

export async function fromOutside({
  deployment,
  visit,
  identity,
  site,
}: Deployed): Promise<Result[]> {
  const inner = ['compose', 'run', '--rm', '--no-deps', '-T', 'theme', 'node', '-e', ASK_METRICS]
  const scraped = deployment.gatehouse(inner).stdout.trim()
  const published = deployment.gatehouse(['compose', 'port', 'api', '9464']).stdout.trim()
  const { status } = await visit(`${site}/metrics`)
  const responses = await Promise.all(
    ADMINISTRATION.map(async (path) => `${path} ${(await visit(identity + path)).status}`),
  )
  return [
    {
      title: 'administration closed from outside',
      isRight: responses.every((response) => response.endsWith(' 404')),
      figure: responses.join(', '),
    },
    {
      title: 'metrics in Compose’s network only',
      isRight: scraped === 'true' && /^(:0)?$/.test(published) && status === 404,
      figure: `inside: ${scraped}, published: ${published || 'nowhere'}, ${status} through the site`,
    },
  ]
}

/** What `docker inspect` says of the containers. */
export function confined({ deployment, docker, answers }: Deployed, secrets: string[]): Result[] {
  const containers = deployment.containers()
  const loose = containers
    .filter(
      ({ HostConfig: { ReadonlyRootfs, CapDrop } }) => !ReadonlyRootfs || !CapDrop?.includes('ALL'),
    )
    .map(serviceOf)
  const running = containers.filter(({ State }) => State.Status === 'running').map(serviceOf)
  const users = running.map((name) => `${name} ${deployment.exec(name, 'id', '-u').stdout.trim()}`)
  const written = running.filter((name) => deployment.exec(name, 'touch', '/etc/x').status === 0)
  const memory = containers.map(({ HostConfig }) => HostConfig.Memory)
  const sum = memory.reduce((all, one) => all + one, 0)
  const inspected = docker.docker('inspect', ...containers.map(({ Id }) => Id))
  const found = secrets.filter((secret) => inspected.includes(secret))
  return [
    {
      title: 'read-only, without capabilities',
      isRight: loose.length === 0 && written.length === 0,
      figure: [...loose, ...written].join(', ') || `${containers.length} containers`,
    },
    {
      title: 'users',
      isRight: users.every((user) => / [1-9]\d*$/.test(user)),
      figure: users.join(', '),
    },
    {
      title: 'limits of memory',
      isRight: memory.every((one) => one > 0) && sum <= MEMORY_MAX_BYTES,
      figure: `${Math.round(sum / 2 ** 20)} MiB in all`,
    },
    {
      title: 'secrets in docker inspect',
      isRight:
        found.length === 0 && secrets.length >= 7 && !inspected.includes(answers['SMTP_URL'] ?? ''),
      figure: `${found.length} of ${secrets.length}`,
    },
  ]
}
