import { checkBackups } from './backup.ts'
import {
  checkBuild,
  checkNotice,
  checkPrinted,
  checkBackupRecipient,
  checkSamples,
  checkSettings,
  checkSite,
} from './configuration.ts'
import { checkDatabase } from './database.ts'
import { checkFiles } from './files.ts'
import { failure, errorMessage, type Check, type Finding, type Installation } from './finding.ts'
import { checkIdentity } from './identity.ts'
import { checkLogs } from './logs.ts'
import { checkDisk, checkNode } from './machine.ts'
import { checkMail } from './mail.ts'
import { checkConnectionLimits, readNginx } from './nginx.ts'
import { checkStores } from './stores.ts'
import { checkApi, checkCertificate, checkMetrics, checkPublicSite } from './site.ts'

/** Run first, as root, to read logs and nginx's files. */
const PRIVILEGED: Record<string, Check> = {
  nginx: () => checkConnectionLimits(readNginx()),
  logs: checkLogs,
  stores: checkStores,
}

/** In the order an operator would fix things. */
const CHECKS: Record<string, Check> = {
  machine: (installation) => [...checkNode(installation), ...checkDisk(installation)],
  settings: checkSettings,
  configuration: (installation) => [
    ...checkSite(installation),
    ...checkSamples(installation),
    ...checkBackupRecipient(installation),
  ],
  notice: (installation) => [...checkNotice(installation), ...checkPrinted(installation)],
  build: checkBuild,
  database: checkDatabase,
  'identity provider': checkIdentity,
  mail: checkMail,
  files: checkFiles,
  api: checkApi,
  metrics: checkMetrics,
  site: checkPublicSite,
  certificate: checkCertificate,
  backups: checkBackups,
}

/** Names a store may refer to as its check. */
export const CHECK_NAMES = [...Object.keys(PRIVILEGED), ...Object.keys(CHECKS)]

export type CheckResult = Finding & { check: string }

/** Calls `giveUpRights` after the last check that needs them. */
export async function runChecks(
  installation: Installation,
  giveUpRights = () => {},
): Promise<CheckResult[]> {
  const first = await runAll(PRIVILEGED, installation)
  giveUpRights()
  return [...(await runAll(CHECKS, installation)), ...first]
}

async function runAll(checks: Record<string, Check>, installation: Installation) {
  const results: CheckResult[] = []
  for (const [check, run] of Object.entries(checks))
    for (const finding of await runSafely(run, installation)) results.push({ check, ...finding })
  return results
}

/** A check that throws becomes a finding; the others still run. */
async function runSafely(run: Check, installation: Installation) {
  try {
    return await run(installation)
  } catch (error) {
    return [failure(`The check failed: ${errorMessage(error)}`, 'read the message')]
  }
}
