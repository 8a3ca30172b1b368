import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/ci/longest-first.ts'

// Tests use the sample site, not the installation's.
process.env['SITE_DIR'] = new URL('sample', import.meta.url).pathname

/** A PostgreSQL for the run. */
const POSTGRES = new URL('api/test/global-setup.ts', import.meta.url).pathname

/** Stubs for APIs that jsdom lacks. */
const OVERLAYS = new URL('web/test/setup.ts', import.meta.url).pathname

export default defineConfig({
  test: {
    // More than there are cores: many tests wait for a time limit, a killed process or the database.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', ['json', { outputFile: '.test/vitest.json' }]],
    projects: [
      {
        test: {
          name: 'model',
          root: 'model',
          include: ['src/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'api',
          root: 'api',
          include: ['src/**/*.test.ts'],
          globalSetup: POSTGRES,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The engine without a file of the product: its suites once more, on two toy models (api/test/toy-models.ts).
        test: {
          name: 'toys',
          root: 'api',
          include: [
            'test/toy-models.test.ts',
            'src/engine/history/history.test.ts',
            'src/engine/query/{list,statement-cache,visibility}.test.ts',
            'src/engine/operations/{undo,undo-property}.test.ts',
            'src/engine/write/concurrency.test.ts',
          ],
          provide: { world: 'toys' },
          globalSetup: POSTGRES,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: './web/vite.config.ts',
        test: {
          name: 'web',
          root: 'web',
          environment: 'jsdom',
          setupFiles: OVERLAYS,
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
        },
      },
      {
        test: {
          name: 'tools',
          root: 'tools',
          include: ['**/*.test.ts'],
          globalSetup: POSTGRES,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'ops',
          root: 'ops',
          include: ['**/*.test.ts'],
          globalSetup: POSTGRES,
          testTimeout: 120_000,
        },
      },
      { test: { name: 'bench', root: 'bench', include: ['**/*.test.ts'] } },
    ],
  },
})
