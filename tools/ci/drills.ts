/** Drills, each with what triggers it in CI; workflows run the long ones (.github/workflows). */
type Drill = {
  /** On two idle cores with warm caches; counts against the budget. */
  seconds: number
  /** Path prefixes: a change below one of them triggers this drill. */
  triggerPaths: string[]
  args?: string[]
  /** Runs on the stack that the browser tests use, before its data is deleted. */
  usesStack?: boolean
  /** Never in the rotation: needs a container engine, a full machine or a million rows. */
  isLong?: boolean
}

const HTTP = 'api/src/platform/http'
const drill = (file: string) => `ops/drills/${file}`

export const DRILLS: Record<string, Drill> = {
  stranger: {
    seconds: 65,
    args: ['--short'],
    usesStack: true,
    triggerPaths: [
      'api/src/platform/admission-control',
      'ops/nginx/clients.conf',
      'ops/nginx/limits',
      drill('noisy-neighbour'),
    ],
  },
  'api-kill': {
    seconds: 60,
    triggerPaths: [
      'api/src/engine/operations',
      'api/src/engine/write',
      'api/src/server.ts',
      drill('api-kill'),
    ],
  },
  metrics: {
    seconds: 25,
    triggerPaths: [HTTP, 'ops/alerts', 'ops/dashboard', 'ops/prometheus', drill('metrics')],
  },
  headers: {
    seconds: 20,
    triggerPaths: ['ops/nginx', 'web/src/boot', 'web/src/document.ts', drill('headers')],
  },
  upgrade: {
    // Three releases with a rename in each run weekly, at their real size: upgrade-large.
    seconds: 80,
    args: ['once'],
    triggerPaths: [
      'api/migrations',
      'api/src/platform/define-table.ts',
      'api/src/platform/migrate.ts',
      'api/src/schema.ts',
      'model/src',
      'sample',
      drill('upgrade'),
    ],
  },
  fuzz: {
    // Half of it installs schemathesis, which a new machine lacks.
    seconds: 150,
    args: ['--short'],
    triggerPaths: [
      'api/src/engine/http',
      'api/src/engine/query/filter.ts',
      'api/src/engine/write/input.ts',
      'api/src/privacy',
      'api/src/staff',
      'model/src/wire',
      HTTP,
      drill('fuzz'),
      drill('schemathesis.toml'),
    ],
  },
  files: {
    seconds: 85,
    args: ['--short'],
    triggerPaths: [
      'api/src/engine/http/file-routes.ts',
      'api/src/platform/files',
      'ops/nginx/file',
      drill('files'),
    ],
  },
  'mail-in': {
    seconds: 40,
    triggerPaths: ['api/src/mailbox', drill('mail-')],
  },
  'database-down': {
    seconds: 125,
    triggerPaths: [
      'api/src/platform/database-errors.ts',
      'api/src/platform/db.ts',
      'api/src/platform/errors.ts',
      'api/src/platform/pg-notify',
      drill('database-down'),
    ],
  },
  deploy: {
    seconds: 45,
    triggerPaths: [
      'api/src/server.ts',
      'ops/nginx/gatehouse.conf',
      'ops/systemd',
      'web/src/boot.ts',
      drill('deploy'),
    ],
  },
  enquiry: {
    seconds: 65,
    triggerPaths: [
      'api/src/mail',
      'api/src/platform/mail',
      'api/src/tickets',
      drill('contact-form'),
    ],
  },
  jobs: {
    seconds: 80,
    triggerPaths: ['api/src/jobs', 'api/src/platform/pg-notify', drill('job-latency')],
  },
  restore: { seconds: 130, triggerPaths: ['ops/backup', drill('restore')] },
  'sign-in': {
    seconds: 150,
    args: ['--short'],
    triggerPaths: [
      'api/src/platform/identity',
      'api/src/security',
      'ops/nginx/identity.conf',
      'tools/realm',
      drill('sign-in'),
    ],
  },
  overload: {
    seconds: 30,
    args: ['--short'],
    triggerPaths: ['api/src/platform/admission-control', `${HTTP}/server.ts`, drill('overload')],
  },
  pages: {
    seconds: 40,
    args: ['--short'],
    triggerPaths: ['api/src/pages', 'web/src/render-site.tsx', drill('pages')],
  },
  'keycloak-upgrade': {
    seconds: 180,
    isLong: true,
    triggerPaths: ['tools/stack/keycloak.ts', drill('keycloak')],
  },
  compose: {
    seconds: 600,
    isLong: true,
    triggerPaths: [
      'compose.yaml',
      'site.Containerfile',
      'ops/keycloak',
      'ops/postgres',
      'ops/release',
      'tools/install',
      drill('compose'),
    ],
  },
  'compose-upgrade': {
    seconds: 900,
    isLong: true,
    triggerPaths: [
      'compose.yaml',
      'ops/nginx/front.sh',
      'ops/nginx/listening-sockets.pl',
      'ops/release',
      drill('compose-upgrade'),
    ],
  },
  'postgres-upgrade': {
    seconds: 600,
    isLong: true,
    triggerPaths: ['ops/postgres', 'ops/release/upgrade.sh', drill('postgres-upgrade')],
  },
  'postgres-versions': {
    seconds: 600,
    isLong: true,
    triggerPaths: ['tools/stack/embedded-postgres.ts', drill('postgres-versions')],
  },
  image: {
    seconds: 400,
    isLong: true,
    triggerPaths: [
      'Containerfile',
      'api/unbundled-packages.ts',
      'package-lock.json',
      'tools/release',
      drill('image'),
    ],
  },
  install: {
    seconds: 900,
    isLong: true,
    triggerPaths: ['ops/install.sh', 'ops/server', 'ops/systemd', drill('install')],
  },
  'restore-new-machine': {
    seconds: 900,
    isLong: true,
    triggerPaths: [
      'compose.yaml',
      'ops/backup',
      'ops/postgres',
      'tools/install/kit',
      drill('restore-new-machine'),
    ],
  },
  migrate: {
    seconds: 800,
    isLong: true,
    triggerPaths: ['api/src/platform/migrate.ts', 'tools/db', drill('migrate')],
  },
  'upgrade-large': {
    seconds: 500,
    isLong: true,
    triggerPaths: ['api/src/platform/migrate.ts', drill('upgrade/large-site')],
  },
  tls: {
    seconds: 240,
    isLong: true,
    triggerPaths: [
      'ops/certbot',
      'ops/nginx/start.sh',
      'ops/nginx/tls',
      'ops/server/nginx.sh',
      drill('tls'),
    ],
  },
  purge: {
    seconds: 600,
    isLong: true,
    triggerPaths: ['api/src/engine/operations/purge-expired.ts', drill('purge')],
  },
}
