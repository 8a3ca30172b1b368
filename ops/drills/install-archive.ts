import { runChecks } from './install-archive-checks.ts'
import { onServer, withDeployer, type SystemName } from './deployed-server.ts'
import { report, seconds } from './kit/results.ts'

/**
 * A fresh machine, the unpacked archive, `init` and `up`: Keycloak, certificate and backup are the server's own. The doctor must be
 * green in ten minutes, a second run change nothing, no log hold a visitor's query, and an upgrade and the way back fail no request.
 */
export async function installArchive(system: SystemName) {
  const started = Date.now()
  const results = await withDeployer('install', (outside) =>
    onServer({ outside, system }, runChecks),
  )
  return report(`install ${system}`, results, `all in ${seconds(started)} s`)
}
