/** `npm run drill -- NAME`: each drill is a file here. The last line is its verdict. */
const drills: Record<string, () => Promise<boolean>> = {
  'api-kill': async () => (await import('./api-kill.ts')).apiKill(),
  compose: async () => (await import('./compose.ts')).compose(),
  'compose-upgrade': async () => (await import('./compose-upgrade.ts')).composeUpgrade(),
  'database-down': async () => (await import('./database-down.ts')).databaseDown(),
  deploy: async () => (await import('./deploy.ts')).deploy(),
  enquiry: async () => (await import('./contact-form.ts')).contactForm(),
  files: async () =>
    (await import('./files.ts')).files({ isShort: process.argv.includes('--short') }),
  fuzz: async () => (await import('./fuzz.ts')).fuzz({ isShort: process.argv.includes('--short') }),
  headers: async () => (await import('./headers.ts')).headers(),
  image: async () => (await import('./image.ts')).image(process.argv[3]),
  install: async () => (await import('./install.ts')).install(process.argv.slice(3)),
  jobs: async () => (await import('./job-latency.ts')).jobs(),
  'keycloak-upgrade': async () => (await import('./keycloak-upgrade.ts')).keycloakUpgrade(),
  'mail-in': async () => (await import('./mail-in.ts')).mailIn(),
  metrics: async () => (await import('./metrics.ts')).metrics(),
  migrate: async () => (await import('./migrate.ts')).migrateDrill(process.argv[3]),
  overload: async () =>
    (await import('./overload.ts')).overload({ isShort: process.argv.includes('--short') }),
  pages: async () =>
    (await import('./pages.ts')).pages({ isShort: process.argv.includes('--short') }),
  'postgres-upgrade': async () => (await import('./postgres-upgrade.ts')).postgresUpgrade(),
  'postgres-versions': async () => (await import('./postgres-versions.ts')).postgresVersions(),
  purge: async () => (await import('./purge.ts')).purge(),
  restore: async () => (await import('./restore.ts')).restore(),
  'restore-new-machine': async () =>
    (await import('./restore-new-machine.ts')).restoreNewMachine(process.argv[3]),
  'sign-in': async () =>
    (await import('./sign-in.ts')).signInDrill({ isShort: process.argv.includes('--short') }),
  stranger: async () => (await import('./noisy-neighbour.ts')).noisyNeighbour(process.argv[3]),
  tls: async () => (await import('./tls.ts')).tls(process.argv[3]),
  upgrade: async () => (await import('./upgrade.ts')).upgrade(process.argv[3]),
  'upgrade-large': async () => (await import('./upgrade.ts')).upgradeLarge(),
}

const name = process.argv[2] ?? ''
const drill = Object.hasOwn(drills, name) ? drills[name] : undefined
if (!drill) console.error(`Usage: npm run drill -- ${Object.keys(drills).join(' | ')}`)
process.exitCode = (await drill?.().catch(toFailure)) ? 0 : 1

function toFailure(error: unknown) {
  console.error(error)
  console.log(`${name}: FAILED, ${error instanceof Error ? error.message : String(error)}`)
  return false
}
