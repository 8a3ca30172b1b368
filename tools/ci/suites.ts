/** Suites that a run with a known base leaves out unless it touches their paths. All other tests always run. */
type Suite = {
  /** Test files, as patterns from the root. */
  files: string[]
  runner: 'vitest' | 'playwright' | 'identity' | 'bench'
  /** Path prefixes: a change below one of them triggers this suite. */
  triggerPaths: string[]
}

const ENGINE = ['api/src/engine', 'model/src', 'api/src/schema.ts', 'api/migrations']

export const SUITES: Record<string, Suite> = {
  mutants: {
    runner: 'vitest',
    files: ['tools/checks/mutate-*.test.ts'],
    triggerPaths: [...ENGINE, 'api/src/jobs/send-mail.ts', 'api/src/mail', 'tools/checks/mut'],
  },
  leak: {
    runner: 'vitest',
    files: ['api/src/engine/query/leak.test.ts'],
    triggerPaths: [...ENGINE, 'api/src/platform/http', 'api/src/product.ts'],
  },
  access: {
    runner: 'vitest',
    files: ['api/src/engine/http/access.test.ts', 'api/src/access-levels.test.ts'],
    triggerPaths: [
      ...ENGINE,
      'api/src/access-levels.test.ts',
      'api/src/app.ts',
      'api/src/clients',
      'api/src/platform/http',
      'api/src/privacy',
      'api/src/security',
      'api/src/staff',
    ],
  },
  undo: {
    runner: 'vitest',
    files: ['api/src/engine/operations/undo-property.test.ts'],
    triggerPaths: ENGINE,
  },
  interleaving: {
    runner: 'vitest',
    files: ['api/src/engine/write/interleaving.test.ts'],
    triggerPaths: [...ENGINE, 'api/src/platform/db.ts', 'api/src/tickets'],
  },
  foreign: {
    runner: 'playwright',
    files: ['e2e/foreign.spec.ts', 'e2e/foreign-shapes.spec.ts'],
    triggerPaths: [
      'e2e/foreign',
      'e2e/spec-only',
      'model/src',
      'web/src/data',
      'web/src/files',
      'web/src/forms',
      'web/src/records',
      'web/src/router.tsx',
      'web/src/ui',
    ],
  },
  identity: {
    runner: 'identity',
    files: ['e2e/identity*.spec.ts'],
    triggerPaths: [
      'api/src/platform/identity',
      'api/src/staff',
      'api/src/security',
      'e2e/identity',
      'ops/nginx/identity.conf',
      'tools/realm',
      'web/keycloak',
      'web/src/auth',
      'web/src/desk',
    ],
  },
  bench: {
    runner: 'bench',
    files: ['bench/compare/short.ts'],
    triggerPaths: ['api/src', 'bench', 'model/src'],
  },
}

/** Paths that may affect any test: a change below one of them runs everything. */
export const TRIGGER_ALL = [
  '.ci',
  'api/test',
  'package.json',
  'package-lock.json',
  'tools/ci',
  'tools/stack',
  'tsconfig.json',
  'vitest.config.ts',
  'e2e/kit.ts',
  'e2e/playwright.config.ts',
  'e2e/ticket.ts',
]

/** Folders that trigger no suite or drill: the tests that always run cover them. */
export const ALWAYS_COVERED: Record<string, string> = {
  'ops/doctor': 'its unit tests',
  'web/src/base': 'the unit tests and every browser test',
  'web/src/feedback': 'its unit tests and frame.spec.ts',
  'web/src/layout': 'its unit tests and frame.spec.ts',
  'web/src/messages': 'its unit tests and every browser test',
  'web/src/palette': 'palette.spec.ts and its unit tests',
  'web/src/portal': 'request.spec.ts and its unit tests',
  'web/src/public': 'public.spec.ts, cookies.spec.ts and its unit tests',
  'web/src/reading': 'reading.spec.ts, public.spec.ts and its unit tests',
  'web/src/styles': 'accessibility.spec.ts and frame.spec.ts',
}
