import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { siteFolderOf } from './api/src/platform/paths.ts'
import { ISOLATED } from './tools/ci/isolated-files.ts'
import { LongestFirst } from './tools/ci/longest-first.ts'

/** The installation's own tests; where it has no site, the sample's. */
const SITE = fileURLToPath(siteFolderOf(process.env))

// All others use the sample site.
process.env['SITE_DIR'] = new URL('sample', import.meta.url).pathname

/** More than there are cores: many tests wait for a time limit, a killed process or the database. */
const maxWorkers = availableParallelism() + 1

/** A PostgreSQL for the run. */
const POSTGRES = new URL('api/test/global-setup.ts', import.meta.url).pathname

/** The same, with the site's tables. */
const SITE_POSTGRES = new URL('api/test/site-setup.ts', import.meta.url).pathname

/** Files that CI leaves out (tools/ci/suites.ts). Vitest's own `--exclude` doesn't reach projects. */
const ignored = (process.env['UNIT_IGNORE'] ?? '').split(',').filter(Boolean)

/** Patterns of a workspace's isolated files, relative to its root. */
const isolatedIn = (root: string) =>
  Object.keys(ISOLATED)
    .filter((path) => path.startsWith(`${root}/`))
    .map((path) => path.replace(`${root}/`, ''))

/** The sample site's data. */
const SITE_PARTS = new URL('web/test/global-setup.ts', import.meta.url).pathname
/** Hands it to the modules; stubs for APIs that jsdom lacks. */
const WEB_SETUP = new URL('web/test/setup.ts', import.meta.url).pathname

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    reporters: [
      'default',
      ['json', { outputFile: `.test/${process.env['TEST_PART'] ?? 'unit-1'}.json` }],
    ],
    projects: [
      {
        test: {
          name: 'model',
          maxWorkers,
          root: 'model',
          isolate: false,
          include: ['src/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'api',
          maxWorkers,
          root: 'api',
          include: ['src/**/*.test.ts'],
          exclude: [...isolatedIn('api'), ...ignored],
          isolate: false,
          globalSetup: POSTGRES,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'api-isolated',
          maxWorkers,
          root: 'api',
          include: isolatedIn('api'),
          exclude: ignored,
          globalSetup: POSTGRES,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The engine without a file of the product: its suites once more, on two toy models (api/test/toy-models.ts).
        test: {
          name: 'toys',
          maxWorkers,
          root: 'api',
          include: [
            'test/toy-models.test.ts',
            'src/engine/history/history.test.ts',
            'src/engine/query/{list,statement-cache,visibility}.test.ts',
            'src/engine/operations/{undo,undo-property}.test.ts',
            'src/engine/write/concurrency.test.ts',
          ],
          exclude: ignored,
          isolate: false,
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
          maxWorkers,
          root: 'web',
          environment: 'jsdom',
          testTimeout: 20_000,
          globalSetup: SITE_PARTS,
          setupFiles: WEB_SETUP,
          include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
          exclude: isolatedIn('web'),
          isolate: false,
        },
      },
      {
        extends: './web/vite.config.ts',
        test: {
          name: 'web-isolated',
          maxWorkers,
          root: 'web',
          environment: 'jsdom',
          testTimeout: 20_000,
          globalSetup: SITE_PARTS,
          setupFiles: WEB_SETUP,
          include: isolatedIn('web'),
        },
      },
      {
        test: {
          name: 'tools',
          maxWorkers,
          root: 'tools',
          include: ['**/*.test.ts'],
          exclude: ignored,
          globalSetup: POSTGRES,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'ops',
          maxWorkers,
          root: 'ops',
          include: ['**/*.test.ts'],
          globalSetup: POSTGRES,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'site',
          maxWorkers,
          root: SITE,
          env: { SITE_DIR: SITE },
          include: ['**/*.test.ts'],
          globalSetup: SITE_POSTGRES,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'bench', maxWorkers, root: 'bench', include: ['**/*.test.ts'] } },
    ],
  },
})
