import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { asOwner, bearer, TICKET, tokenOf } from './compose-account.ts'
import {
  asVisitor,
  confined,
  fromOutside,
  type ComposeEnvironment,
  type Deployed,
} from './compose-requests.ts'
import { checkInit, readSecrets, writeAnswers } from './compose-init.ts'
import { refusesSecrets, settingsArrive } from './compose-settings.ts'
import { otherSites } from './compose-sites.ts'
import { serviceOf, unsettled, type Deployment } from './kit/containers/deployment.ts'
import type { HttpResponse } from './kit/http-clients.ts'
import { runParts, seconds, type Result } from './kit/results.ts'

const DOCUMENT = new URL('../../docs/operating.md', import.meta.url)
const HEALTHY_MAX_S = 300
const TIMEOUT_MS = 120_000

export async function runChecks(environment: ComposeEnvironment): Promise<Result[]> {
  const deployment = environment.deploy('first')
  const deployed = { ...environment, deployment }
  try {
    const { results: started, isSettled } = starts(deployed)
    if (!isSettled) return started
    const results = await runParts({
      init: () => checkInit(deployed),
      visitor: () => asVisitor(deployed),
      outside: () => fromOutside(deployed),
      confinement: () => confined(deployed, readSecrets(deployment)),
      owner: () => asOwner(deployed),
      doctor: () => [doctor(deployed)],
      'second up': () => [secondTime(deployed)],
      changes: () => changes(deployed),
      'down and up': async () => [await downAndUp(deployed)],
      settings: () => [settingsArrive(deployment)],
      secrets: () => refusesSecrets(deployment),
      'other sites': () => otherSites(deployed),
    })
    return [...started, ...results]
  } finally {
    deployment.remove()
  }
}

/** The commands of docs/operating.md from the release's files to a healthy installation, as they stand there. */
function starts({ docker, deployment, release, answers }: Deployed) {
  const begun = Date.now()
  const file = writeAnswers(deployment.folder, answers)
  const commands = documentedCommands()
    .join('\n')
    .replaceAll('/srv/gatehouse', deployment.folder)
    .replaceAll(/^mv (.*-images-\S+)/gm, 'cp $1')
    .replaceAll(/^\.\/gatehouse init .*$/gm, (line) => `${line} --answers ${file}`)
    // Without a bucket it fails; the check below says in what alone.
    .replaceAll(/^\.\/gatehouse doctor$/gm, '$& || true')
  const { status, stdout, stderr } = docker.run('bash', ['-e', '-x', '-c', commands], {
    cwd: release.folder,
  })
  const waiting = status === 0 ? unsettled(deployment.containers()) : [`${stdout}${stderr}`]
  const took = seconds(begun)
  const results: Result[] = [
    {
      title: 'the document’s commands',
      isRight: status === 0,
      figure: `${commands.split('\n').length} lines`,
    },
    {
      title: 'release to healthy or completed',
      isRight: waiting.length === 0 && Number(took) <= HEALTHY_MAX_S,
      figure: waiting.join(', ') || `${deployment.containers().length} containers after ${took} s`,
    },
  ]
  return { results, isSettled: waiting.length === 0 }
}

/** The shell's lines of the section that installs with containers. */
function documentedCommands() {
  const [, section = ''] = readFileSync(DOCUMENT, 'utf8').split(/^## Install with containers$/m)
  const [steps = ''] = section.split(/^## /m)
  return [...steps.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].flatMap(([, lines = '']) =>
    lines
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  )
}

/** A new installation without a bucket fails in one point: nothing backs it up. */
function doctor({ deployment }: Deployed): Result {
  const { stdout } = deployment.gatehouse(['doctor', '--json'])
  const findings = JSON.parse(stdout) as { check: string; level: string; what: string }[]
  const failures = findings.filter(({ level }) => level === 'failure')
  const well = findings.filter(({ level }) => level === 'ok').length
  return {
    title: 'doctor',
    isRight: well > 10 && failures.map(({ check }) => check).join() === 'backups',
    figure: `${well} ok, ${failures.map(({ what }) => what).join('; ')}`,
  }
}

function secondTime({ deployment }: Deployed): Result {
  const before = running(deployment)
  deployment.must('up')
  const after = running(deployment)
  return {
    title: 'a second up',
    isRight: before === after,
    figure: before === after ? 'changes nothing' : after,
  }
}

const running = (deployment: Deployment) =>
  deployment
    .containers()
    .filter(({ State }) => State.Status === 'running')
    .map((container) => `${serviceOf(container)} ${container.Id} ${container.State.StartedAt}`)
    .sort()
    .join('\n')

/** A changed file of the site, then new containers with other IP addresses, as an upgrade makes them. */
async function changes({ deployment, visit, site }: Deployed): Promise<Result[]> {
  const before = running(deployment)
  const right = deployment.read('site/site.json')
  deployment.rewrite('site/site.json', (text) => text.replace('"socials"', '"profiles"'))
  const refused = deployment.gatehouse(['up'])
  const isUntouched = running(deployment) === before
  deployment.rewrite('site/site.json', () => right)
  deployment.rewrite('site/site.json', (text) =>
    text.replaceAll(`O'Neill & Sons $5 IT`, 'Copperfield IT'),
  )
  deployment.must('up')
  const renamed = await untilFound(
    () => visit(`${site}/`),
    ({ body }) => body.includes('Copperfield IT'),
  )
  deployment.must('compose', 'up', '--detach', '--no-recreate', '--scale', 'api=2', 'api')
  deployment.must('compose', 'up', '--detach', '--force-recreate', '--scale', 'api=2', 'api')
  const { status } = await untilFound(() => visit(`${site}/healthz`))
  deployment.must('up')
  deployment.must('compose', 'restart', 'front')
  const begun = Date.now()
  const listening = await untilFound(() => visit(`${site}/`))
  return [
    {
      title: 'a wrong site.json replaces nothing',
      isRight: refused.status !== 0 && refused.output.includes('socials') && isUntouched,
      figure: refused.output,
    },
    {
      title: 'a change of site.json by up',
      isRight: renamed.body.includes('Copperfield IT'),
      figure: `${renamed.status}, the new name`,
    },
    { title: 'two new containers of the API', isRight: status === 200, figure: String(status) },
    {
      title: 'nginx after the container that holds its ports has ended',
      isRight: listening.status === 200,
      figure: `${listening.status} after ${seconds(begun)} s`,
    },
  ]
}

async function downAndUp(deployed: Deployed): Promise<Result> {
  const { deployment, visit, site } = deployed
  deployment.must('down')
  const begun = Date.now()
  deployment.must('up')
  const list = await visit(`${site}/api/tickets`, { headers: bearer(await tokenOf(deployed)) })
  const isKept = list.status === 200 && list.body.includes(TICKET.subject)
  return {
    title: 'down and up again',
    isRight: isKept,
    figure: isKept ? `account and ticket still exist, ${seconds(begun)} s` : `${list.status}`,
  }
}

async function untilFound(
  ask: () => Promise<HttpResponse>,
  isRight = (response: HttpResponse) => response.status === 200,
) {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const response = await ask().catch(() => ({ status: 0, headers: {}, body: '' }))
    if (isRight(response) || Date.now() > deadline) return response
    await setTimeout(500)
  }
}
