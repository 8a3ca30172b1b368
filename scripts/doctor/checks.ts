import { checkBackups } from './backup.ts'
import { checkBuild, checkNotice, checkSamples, checkSettings, checkSite } from './configuration.ts'
import { checkDatabase } from './database.ts'
import { failure, messageOf, type Check, type Finding, type Patient } from './finding.ts'
import { checkIdentity } from './identity.ts'
import { checkDisk, checkNode } from './machine.ts'
import { checkMail } from './mail.ts'
import { checkCertificate, checkPublicSite } from './site.ts'

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
  site: checkPublicSite,
  certificate: checkCertificate,
  backups: checkBackups,
}

export type Examined = Finding & { check: string }

export async function examine(patient: Patient): Promise<Examined[]> {
  const examined: Examined[] = []
  for (const [check, run] of Object.entries(CHECKS))
    for (const finding of await runSafely(run, patient)) examined.push({ check, ...finding })
  return examined
}

/** A check that breaks is a finding too, and the others still have theirs. */
async function runSafely(run: Check, patient: Patient) {
  try {
    return await run(patient)
  } catch (error) {
    return [failure(`This check itself failed: ${messageOf(error)}`, 'read the message')]
  }
}
