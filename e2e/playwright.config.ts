import { defineConfig } from '@playwright/test'

const site = process.env['SITE_URL'] ?? `http://localhost:${process.env['SITE_PORT'] ?? '8080'}`

/** Journeys against the real stack (`npm run stack -- up`), in Debian's Chromium. */
export default defineConfig({
  testDir: '.',
  // What stops parts of the stack comes last, when nothing else runs.
  projects: [
    { name: 'journeys', testMatch: '*.spec.ts', testIgnore: 'outage.spec.ts' },
    { name: 'outages', testMatch: 'outage.spec.ts', dependencies: ['journeys'], workers: 1 },
  ],
  outputDir: '../test-results',
  reporter: [['list'], ['json', { outputFile: '../.test/playwright.json' }]],
  // One account per worker: Keycloak's brute-force protection refuses parallel sign-ins of one person.
  workers: 3,
  fullyParallel: true,
  // A real identity provider on two busy cores: one more try in CI, which counts and names what needed it.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: site,
    actionTimeout: 10_000,
    // Nothing is to be seen of a fade; tests of motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every test would cost as much as the test; `npm run e2e -- --trace on` asks for it.
    trace: 'on-first-retry',
    launchOptions: {
      // Chromium without its own windows: twice as quick on two cores.
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
