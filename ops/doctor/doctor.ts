import { runChecks, type CheckResult } from './checks.ts'
import { readInstallation } from './installation.ts'

/**
 * Checks an installation and says how to fix each failure. Changes nothing; sends only random canaries and searches the logs
 * for them. Without DATABASE_URL it checks this checkout's stack. `--json` for programs. Exits with 1 on a failure.
 */
const SIGN = { ok: '✓', warning: '!', failure: '✗' }

const findings = await runChecks(await target(), becomeService)
if (process.argv.includes('--json')) console.log(JSON.stringify(findings, null, 2))
else print(findings)
process.exitCode = findings.some(({ level }) => level === 'failure') ? 1 : 0

async function target() {
  if (process.env['DATABASE_URL'] || process.env['NODE_ENV'] === 'production')
    return readInstallation(process.env, { siteUrl: process.env['SITE_URL'] })
  // Imported on demand: not in the image.
  const { apiEnv } = await import('../../tools/stack/stack-services.ts')
  const { realmEnv } = await import('../../tools/stack/keycloak.ts')
  const settings = (await import('../../tools/stack/settings.ts')).readSettings()
  return readInstallation(
    { ...apiEnv(settings), ...realmEnv(settings), ...process.env },
    { siteUrl: settings.site, logPlaces: [settings.state] },
  )
}

/** Drops root after reading the logs: the other checks must see what the service sees. */
function becomeService() {
  const name = process.env['RUN_AS']
  if (!name || process.getuid?.() !== 0) return
  process.setgroups?.([])
  process.setgid?.(name)
  process.setuid?.(name)
}

function print(all: CheckResult[]) {
  for (const finding of all) {
    console.log(`${SIGN[finding.level]} ${finding.check}: ${finding.what}`)
    if (finding.level !== 'ok') console.log(`    Fix: ${finding.todo}`)
  }
  const count = (level: string) => all.filter((finding) => finding.level === level).length
  console.log(`\n${count('ok')} ok, ${count('warning')} warnings, ${count('failure')} failed`)
}
