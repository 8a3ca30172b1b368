/** `npm run drill -- NAME`: each drill is a file here. The last line is its verdict. */
const drills: Record<string, () => Promise<boolean>> = {
  'api-kill': async () => (await import('./api-kill.ts')).apiKill(),
  compose: async () => (await import('./compose.ts')).compose(),
  'database-down': async () => (await import('./database-down.ts')).databaseDown(),
  deploy: async () => (await import('./deploy.ts')).deploy(),
  enquiry: async () => (await import('./contact-form.ts')).contactForm(),
  fuzz: async () => (await import('./fuzz.ts')).fuzz({ isShort: process.argv.includes('--short') }),
  headers: async () => (await import('./headers.ts')).headers(),
  image: async () => (await import('./image.ts')).image(),
  install: async () => (await import('./install.ts')).install(process.argv[3]),
  jobs: async () => (await import('./job-latency.ts')).jobs(),
  'keycloak-upgrade': async () => (await import('./keycloak-upgrade.ts')).keycloakUpgrade(),
  metrics: async () => (await import('./metrics.ts')).metrics(),
  migrate: async () => (await import('./migrate.ts')).migrateDrill(),
  overload: async () =>
    (await import('./overload.ts')).overload({ isShort: process.argv.includes('--short') }),
  pages: async () =>
    (await import('./pages.ts')).pages({ isShort: process.argv.includes('--short') }),
  purge: async () => (await import('./purge.ts')).purge(),
  restore: async () => (await import('./restore.ts')).restore(),
  'sign-in': async () =>
    (await import('./sign-in.ts')).signInDrill({ isShort: process.argv.includes('--short') }),
  stranger: async () => (await import('./noisy-neighbour.ts')).noisyNeighbour(process.argv[3]),
  tls: async () => (await import('./tls.ts')).tls(),
  upgrade: async () => (await import('./upgrade.ts')).upgrade(),
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
