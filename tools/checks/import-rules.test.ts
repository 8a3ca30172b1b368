import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = new URL('../..', import.meta.url).pathname
const { forbidden, options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  forbidden: { name: string }[]
  options: object
}

/** Imported files exist, except for the unresolvable one. */
const PLANTED: [rule: string, path: string, text: string][] = [
  ['api/src:engine/query', 'api/src/engine/query/x.ts', `import '#engine/write/a.ts'`],
  ['api/src:platform', 'api/src/platform/x.ts', `import './http/a.ts'`],
  ['api/src:tickets', 'api/src/tickets/x.ts', `export * from '#clients/a.ts'`],
  ['api/src:clients', 'api/src/clients/x.ts', `import type { A } from '#a.ts'\nexport type B = A`],
  ['api/src:engine', 'api/src/engine/x.ts', `await import('#jobs/a.ts')`],
  ['web/src:base', 'web/src/base/x.ts', `import '#ui/a.ts'`],
  ['model/src:definition', 'model/src/definition/x.ts', `import '#wire/a.ts'`],
  ['repository:stack', 'tools/stack/x.ts', `import '../checks/a.ts'`],
  ['repository:api', 'api/src/jobs/x.ts', `import '../../../web/src/ui/a.ts'`],
  ['no-cycle', 'bench/x.ts', `import './y.ts'`],
  ['no-orphan', 'e2e/x.ts', 'export const orphan = 1'],
  ['declared-module', 'api/src/hall/x.ts', `import '#platform/a.ts'`],
  ['model-imports-nothing', 'model/src/wire/x.ts', `import 'uuid'`],
  ['engine-without-models', 'api/src/engine/y.ts', `import '../../../model/src/models/a.ts'`],
  ['web-without-models', 'web/src/desk/x.ts', `import '../../../model/src/models/a.ts'`],
  ['single-writer', 'web/src/portal/x.ts', `import '#data/send.ts'`],
  ['site-entry-points', 'sample/x.ts', `import '../api/src/platform/a.ts'`],
  ['site-tests', 'sample/x.test.ts', `import '../api/src/platform/a.ts'`],
  ['no-test-import', 'api/src/mail/x.ts', `import '#platform/a.test.ts'`],
  ['declared-package', 'e2e/y.ts', `import 'uuid'`],
  ['no-dev-package', 'api/src/privacy/x.ts', `import 'fast-check'`],
  ['resolvable', 'ops/drills/x.ts', `import './missing.ts'`],
]
const ALLOWED_TYPE = 'web/src/public/x.ts'
const IMPORTED = [
  ...['clients', 'engine/write', 'jobs', 'platform', 'platform/http'].map((at) => `api/src/${at}`),
  'api/src',
  'web/src/ui',
  'model/src/wire',
  'model/src/models',
  'tools/checks',
].map((folder) => `${folder}/a.ts`)
const PACKAGES = {
  api: { imports: { '#*': './src/*' }, devDependencies: { 'fast-check': '*' } },
  web: { imports: { '#*': './src/*' } },
  model: { imports: { '#*': './src/*' } },
  e2e: {},
}

let folder: string
let found: ICruiseResult['summary']['violations']

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-imports-'))
  const files = [
    ...PLANTED.map(([, path, text]) => [path, text] as const),
    ...[...IMPORTED, 'web/src/data/send.ts', 'api/src/platform/a.test.ts'].map(
      (path) => [path, 'export type A = 1'] as const,
    ),
    ['bench/y.ts', `import './x.ts'`] as const,
    [
      ALLOWED_TYPE,
      `import type { A } from '../../../model/src/models/a.ts'\nexport type B = A`,
    ] as const,
    ...Object.entries(PACKAGES).map(
      ([name, content]) => [`${name}/package.json`, JSON.stringify(content)] as const,
    ),
    ['package.json', '{}'] as const,
  ]
  for (const [path, text] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { output } = await cruise(
    ['api', 'web', 'model', 'tools', 'ops', 'bench', 'e2e', 'sample'],
    {
      ...options,
      baseDir: folder,
      validate: true,
      ruleSet: { forbidden },
    } as object,
  )
  found = (output as ICruiseResult).summary.violations
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(PLANTED)('import rules report a violation of %s in %s', (rule, path) => {
  expect(found.filter(({ from }) => from === path).map(({ rule: { name } }) => name)).toContain(
    rule,
  )
})

test('import rules allow a type import of the models in the browser', () => {
  expect(found.filter(({ from }) => from === ALLOWED_TYPE)).toEqual([])
})

test('every import rule that isn’t between two layers has a planted violation', () => {
  const general = forbidden.map(({ name }) => name).filter((name) => !name.includes(':'))
  expect(PLANTED.map(([rule]) => rule)).toEqual(expect.arrayContaining(general))
})
