import { defineConfig } from '@playwright/test'

const site = process.env['SITE_URL'] ?? `http://localhost:${process.env['SITE_PORT'] ?? '8080'}`

/** Read by tools/ci/test-results.ts. */
const resultsFile = `.test/${process.env['TEST_PART'] ?? 'browser-1'}.json`
/** Files that CI leaves out (tools/ci/suites.ts). */
const ignored = (process.env['E2E_IGNORE'] ?? '').split(',').filter(Boolean)

/** Journeys against the real stack (`npm run stack -- up`), in Debian's Chromium. */
export default defineConfig({
  testDir: '.',
  // Tests that stop services of the stack run last and alone.
  projects: [
    {
      name: 'journeys',
      testMatch: '*.spec.ts',
      testIgnore: ['outage.spec.ts', 'identity*.spec.ts', ...ignored],
    },
    { name: 'outages', testMatch: 'outage.spec.ts', dependencies: ['journeys'], workers: 1 },
    // Needs a stack where admins have a second factor: tools/ci/e2e.ts.
    { name: 'identity', testMatch: 'identity*.spec.ts' },
  ],
  // Playwright empties the folder, and two of its processes run side by side.
  outputDir: `../test-results/${process.env['TEST_PART'] ?? 'browser-1'}`,
  reporter: [['list'], ['json', { outputFile: `../${resultsFile}` }]],
  // One account per worker: Keycloak's brute-force protection rejects parallel sign-ins of one user.
  workers: 3,
  fullyParallel: true,
  // A real identity provider on two busy cores: one retry in CI, which is reported.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: site,
    actionTimeout: 10_000,
    // No animations, except in tests of motion.
    contextOptions: { reducedMotion: 'reduce' },
    // Traces are expensive; enable them with `npm run e2e -- --trace on`.
    trace: 'on-first-retry',
    launchOptions: {
      // The headless shell is twice as fast on two cores.
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
