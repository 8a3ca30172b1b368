import { randomBytes, randomInt } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { LOGS_PROMISE } from '../../api/src/privacy/notice/notice.ts'
import { DEMO_SECRETS } from '../../api/src/platform/secrets.ts'
import type { UpgradeEnvironment } from './install-upgrade.ts'
import { signIn } from './kit/identity/sign-in.ts'
import { localClient } from './kit/http-clients.ts'

/** Undeclared stores; the doctor must name both. */
const STRAY_LOG = '/var/log/nginx/stray.log'
const STRAY_FOLDER = '/var/lib/gatehouse/uploads'
const NGINX_FILE = '/etc/gatehouse/nginx/gatehouse.conf'
const ACCESS_LOG = '/var/log/nginx/access.log'
/** Folders to which programs could write logs. */
const PLACES = '/var/log /run/log /var/lib/nginx /var/lib/gatehouse /var/tmp /tmp /root /home'
/** Time for all programs to flush their logs. */
const SETTLE_MS = 1_500

export type Outside = {
  issuer: string
  identityAdmin: string
  /** Log folder of the programs outside the machine. */
  logs: string
}

/** No log may contain a random canary sent in a query, a referrer and a failed sign-in, or the visitor's address, with the API up and down. */
export async function checkQuietLogs(scene: UpgradeEnvironment, issuer: string) {
  const { searched, found } = await plantAndSearch(scene, { issuer })
  return {
    facts: [`logs: ${searched} files, canary in ${found.length}`],
    problems: found.map((file) => `${file} contains the canary`),
  }
}

/** As above. With the access log or Keycloak's event listener on, a log must contain a canary, and the doctor must report it. */
export async function checkLogs(scene: UpgradeEnvironment, outside: Outside) {
  const normal = await plantAndSearch(scene, outside)
  const results = await scene.machine.run('gatehouse-doctor', scene.env)

  await setAccessLog(scene, ACCESS_LOG)
  await setListeners(outside, ['jboss-logging'])
  await scene.machine.ask(`touch ${STRAY_LOG} && mkdir ${STRAY_FOLDER}`)
  const talkative = await plantAndSearch(scene, outside)
  const complained = await scene.machine.run('gatehouse-doctor', scene.env)
  await setAccessLog(scene, 'off')
  await scene.machine.ask(`rm ${STRAY_LOG} && rmdir ${STRAY_FOLDER}`)
  await setListeners(outside, [])
  const again = await plantAndSearch(scene, outside)

  const complaint = complained.text.split('\n').find((line) => line.includes(ACCESS_LOG))
  return {
    facts: [
      `logs: ${normal.searched} files, canary in ${normal.found.length}; logging on, in ${talkative.found.length}: ${talkative.found.join(', ')}; logging off again, in ${again.found.length}`,
      `doctor with logging on: ${complaint ?? 'nothing'}`,
    ],
    problems: [
      ...normal.found.map((file) => `${file} contains the canary`),
      ...again.found.map((file) => `with logging off again, ${file} contains the canary`),
      ...(talkative.found.includes(ACCESS_LOG)
        ? []
        : ['the access log, switched on, holds no mark']),
      ...(talkative.found.some((file) => file.endsWith('keycloak.log'))
        ? []
        : ["Keycloak's log, switched on, holds no mark"]),
      ...[STRAY_LOG, STRAY_FOLDER]
        .filter((stray) => !complained.text.includes(`${stray} is not declared`))
        .map((stray) => `the doctor does not name ${stray}`),
      ...(results.code === 0 ? [] : [`the doctor failed: ${results.text}`]),
      ...(complained.code === 1 && complained.text.includes(LOGS_PROMISE) && complaint
        ? []
        : [`the doctor does not report the access log: ${complained.text}`]),
    ],
  }
}

async function plantAndSearch(
  environment: UpgradeEnvironment,
  outside: Pick<Outside, 'issuer'> & Partial<Outside>,
) {
  const mark = randomBytes(12).toString('hex')
  const address = ['127', ...Array.from({ length: 3 }, () => randomInt(100, 255))].join('.')
  const canaries = [mark, address]
  const units = environment.ports.map((port) => `gatehouse-api@${port}`).join(' ')
  const visitor = { ...environment, ask: environment.askFrom(address) }
  await plant(visitor, outside, mark)
  await environment.machine.ask(`systemctl stop ${units}`)
  await plant(visitor, outside, mark)
  await environment.machine.ask(`systemctl start ${units}`)
  await untilReady(environment)
  await setTimeout(SETTLE_MS)
  const either = canaries.join('\n')
  const { text } = await environment.machine.ask(
    `grep -rlsaF '${either}' ${PLACES}; journalctl --output=export --no-pager | grep -qaF '${either}' && echo journal`,
  )
  const counted = await environment.machine.ask(`find ${PLACES} -type f | wc -l`)
  const outer = outside.logs ? filesIn(outside.logs) : []
  return {
    searched: Number(counted.text) + outer.length,
    found: [
      ...text.split('\n').filter(Boolean),
      ...outer.filter((file) => canaries.some((canary) => readFileSync(file).includes(canary))),
    ],
  }
}

async function plant(
  { ask, token, visit = localClient }: UpgradeEnvironment,
  { issuer }: Pick<Outside, 'issuer'>,
  mark: string,
) {
  const headers = { referer: `https://elsewhere.test/?q=${mark}` }
  const signedIn = { ...headers, authorization: `Bearer ${await token()}` }
  for (const path of ['/', '/nowhere', '/tickets', '/services'])
    await ask(`${path}?q=${mark}`, { headers })
  for (const path of ['/api/tickets', '/api/contacts', '/api/nothing'])
    await ask(`${path}?search=${mark}&sort=${mark}`, { headers: signedIn })
  await ask(`/api/tickets?x=${mark}`, {
    method: 'POST',
    headers: signedIn,
    body: { subject: mark },
  })
  await fetch(`http://127.0.0.1/?q=${mark}`, { redirect: 'manual', headers })
  await signIn({
    visit,
    issuer,
    site: 'https://gatehouse.internal',
    username: mark,
    password: mark,
  }).catch(() => null)
}

async function untilReady({ ask }: UpgradeEnvironment) {
  while ((await ask('/api/models')).status !== 200) await setTimeout(200)
}

const setAccessLog = ({ machine }: UpgradeEnvironment, to: string) =>
  machine.ask(
    `sed -i 's|^    access_log .*;|    access_log ${to};|' ${NGINX_FILE} && systemctl reload nginx && sleep 1`,
  )

/** Uses Keycloak's admin API, like its console. */
async function setListeners({ identityAdmin }: Outside, eventsListeners: string[]) {
  const signedIn = await fetch(`${identityAdmin}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'realm-apply',
      client_secret: DEMO_SECRETS.realm,
    }),
  })
  const { access_token: token } = (await signedIn.json()) as { access_token: string }
  const { status } = await fetch(`${identityAdmin}/admin/realms/gatehouse/events/config`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ eventsListeners, eventsEnabled: false, adminEventsEnabled: false }),
  })
  if (status !== 204) throw new Error(`Keycloak did not change its listeners: ${status}`)
}

const filesIn = (directory: string) =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.log'))
    .map((name) => join(directory, name))
    .filter((file) => statSync(file).isFile())
