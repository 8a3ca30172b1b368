import { checkBackups } from './backup.ts'
import { checkBuild, checkNotice, checkSamples, checkSettings, checkSite } from './configuration.ts'
import { checkDatabase } from './database.ts'
import { failure, messageOf, type Check, type Finding, type Patient } from './finding.ts'
import { checkIdentity } from './identity.ts'
import { checkLogs } from './logs.ts'
import { checkDisk, checkNode } from './machine.ts'
import { checkMail } from './mail.ts'
import { checkRoom, readNginx } from './nginx.ts'
import { checkApi, checkCertificate, checkPublicSite } from './site.ts'

/** First, by whoever may read the logs and nginx's files. */
const PRIVILEGED: Record<string, Check> = { nginx: () => checkRoom(readNginx()), logs: checkLogs }

/** In the order one would put things right. */
const CHECKS: Record<string, Check> = {
  machine: (patient) => [...checkNode(patient), ...checkDisk(patient)],
  settings: checkSettings,
  configuration: (patient) => [...checkSite(patient), ...checkSamples(patient)],
  notice: (patient) => checkNotice(patient),
  build: checkBuild,
  database: checkDatabase,
  'identity provider': checkIdentity,
  mail: checkMail,
  api: checkApi,
  site: checkPublicSite,
  certificate: checkCertificate,
  backups: checkBackups,
}

export type Examined = Finding & { check: string }

/** `giveUpRights` is called when nothing is left that needs them. */
export async function examine(patient: Patient, giveUpRights = () => {}): Promise<Examined[]> {
  const first = await runAll(PRIVILEGED, patient)
  giveUpRights()
  return [...(await runAll(CHECKS, patient)), ...first]
}

async function runAll(checks: Record<string, Check>, patient: Patient) {
  const examined: Examined[] = []
  for (const [check, run] of Object.entries(checks))
    for (const finding of await runSafely(run, patient)) examined.push({ check, ...finding })
  return examined
}

/** A check that breaks is a finding too, and the others still have theirs. */
async function runSafely(run: Check, patient: Patient) {
  try {
    return await run(patient)
  } catch (error) {
    return [failure(`The check failed: ${messageOf(error)}`, 'read the message')]
  }
}
