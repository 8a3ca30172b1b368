/**
 * Drills that CI runs: some always, those whose paths a change touches, and one of the others in rotation, within a time
 * budget. The rest run in the nightly and weekly workflows (.github/workflows).
 */
type Drill = {
  /** On two idle cores with warm caches; counts against the budget. */
  seconds: number
  /** Path prefixes: a change below one of them triggers this drill. */
  triggerPaths: string[]
  isAlways?: boolean
  args?: string[]
  /** Never in the rotation: needs a container engine, a full machine or a million rows. */
  isLong?: boolean
}

export const DRILLS: Record<string, Drill> = {
  'api-kill': {
    seconds: 60,
    isAlways: true,
    triggerPaths: ['api/src/engine/operations', 'api/src/engine/write'],
  },
  metrics: { seconds: 15, isAlways: true, triggerPaths: ['api/src/platform/http', 'ops/alerts'] },
  headers: { seconds: 20, isAlways: true, triggerPaths: ['ops/nginx', 'web/src/document'] },
  upgrade: { seconds: 90, isAlways: true, triggerPaths: ['model/src/models', 'sample'] },
  fuzz: { seconds: 100, isAlways: true, args: ['--short'], triggerPaths: ['api/src/engine/http'] },
  'database-down': {
    seconds: 100,
    triggerPaths: ['api/src/platform/db.ts', 'api/src/platform/http'],
  },
  deploy: { seconds: 45, triggerPaths: ['api/src/server.ts', 'ops/nginx', 'ops/systemd'] },
  enquiry: {
    seconds: 75,
    triggerPaths: ['api/src/jobs', 'api/src/mail', 'api/src/tickets', 'api/src/platform/mail'],
  },
  jobs: { seconds: 90, triggerPaths: ['api/src/jobs'] },
  restore: { seconds: 110, triggerPaths: ['ops/backup'] },
  'sign-in': {
    seconds: 150,
    args: ['--short'],
    triggerPaths: [
      'tools/realm',
      'ops/nginx/identity',
      'api/src/platform/identity',
      'api/src/security',
    ],
  },
  overload: {
    seconds: 30,
    args: ['--short'],
    triggerPaths: ['api/src/platform/admission-control/', 'api/src/platform/http/server.ts'],
  },
  'keycloak-upgrade': { seconds: 180, isLong: true, triggerPaths: ['tools/stack/keycloak.ts'] },
  compose: {
    seconds: 600,
    isLong: true,
    triggerPaths: ['compose.yaml', 'ops/databases.sh', 'ops/keycloak'],
  },
  image: { seconds: 400, isLong: true, triggerPaths: ['Containerfile', 'package-lock.json'] },
  install: { seconds: 900, isLong: true, triggerPaths: ['ops/install.sh', 'ops/systemd'] },
  migrate: { seconds: 600, isLong: true, triggerPaths: ['api/src/platform/migrate.ts'] },
  purge: {
    seconds: 600,
    isLong: true,
    triggerPaths: ['api/src/engine/operations/purge-expired.ts'],
  },
  stranger: { seconds: 900, isLong: true, triggerPaths: ['ops/nginx/limits'] },
}

/** Eight minutes minus the short `stranger` drill, which runs on CI's stack. */
const BUDGET_SECONDS = 8 * 60 - 60

type Situation = {
  changed: string[]
  /** Picks the rotating drill: any number that increases with every change. */
  rotation: number
}

/** In running order; `skipped` did not fit the budget. */
export function chooseDrills({ changed, rotation: turn }: Situation) {
  const all = Object.entries(DRILLS)
  const always = all.filter(([, { isAlways }]) => isAlways)
  const others = all.filter(([, { isAlways, isLong }]) => !isAlways && !isLong)
  const touched = all.filter(
    ([, { isAlways, triggerPaths: ground }]) =>
      !isAlways && ground.some((prefix) => changed.some((path) => path.startsWith(prefix))),
  )
  const byTurn = others.length > 0 ? [others[turn % others.length]] : []
  const chosen: string[] = []
  const skipped: string[] = []
  let spent = 0
  for (const entry of new Set([...always, ...touched, ...byTurn])) {
    if (!entry) continue
    const [name, { seconds, isAlways }] = entry
    const isFitting = isAlways || spent + seconds <= BUDGET_SECONDS
    ;(isFitting ? chosen : skipped).push(name)
    if (isFitting) spent += seconds
  }
  return { chosen, skipped, seconds: spent }
}

export const argsOf = (name: string) => DRILLS[name]?.args ?? []
