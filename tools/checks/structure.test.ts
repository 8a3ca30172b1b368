import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lintOverrides, PICTURE, SITE_OVERRIDE, type Root } from './rooms.ts'
import { findings, reachableFrom, type Sources } from './structure.ts'

const TOP = new URL('../..', import.meta.url).pathname

function read(folder: string): Sources {
  const files = readdirSync(join(TOP, folder), { recursive: true, encoding: 'utf8' })
  return new Map(
    files
      .filter((file) => /\.(tsx?|scss)$/.test(file) && !file.includes('node_modules/'))
      .map((file) => [`${folder}/${file}`, readFileSync(join(TOP, folder, file), 'utf8')]),
  )
}

const SOURCES: Sources = new Map(
  ['api/src', 'api/test', 'model/src', 'web/src', 'tools', 'ops', 'bench'].flatMap((folder) => [
    ...read(folder),
  ]),
)

test('the sources keep to rooms.ts: rooms, import directions, no cycle, no model named in the engine, 250 lines a file, styles in their layer', () => {
  expect(findings(SOURCES)).toEqual([])
})

test('the app with the toy models imports no file of the product', () => {
  const reached = reachableFrom(SOURCES, [
    'api/src/app.ts',
    'api/test/toy-models.ts',
    'api/test/kit.ts',
  ])
  expect(reached.length).toBeGreaterThan(60)
  const PRODUCT = /^api\/src\/(product|tickets|clients|security|catalogue|privacy)\b|model\/models/
  expect(reached.filter((path) => PRODUCT.test(path))).toEqual([])
})

test('the one module of a public page imports neither React nor the sign-in client', () => {
  const APP = /^(react|react-dom|react-router|react-oidc-context|oidc-client-ts)\b|\.tsx$/
  const imported = reachableFrom(SOURCES, ['web/src/boot.ts'])
  expect(imported).toContain('web/src/data/definitions.ts')
  expect(imported.filter((path) => APP.test(path))).toEqual([])
  const spoiled = new Map([
    ...SOURCES,
    ['web/src/boot/theme.ts', "import { useState } from 'react'"],
  ])
  expect(reachableFrom(spoiled, ['web/src/boot.ts']).filter((path) => APP.test(path))).toEqual([
    'react',
  ])
})

const SPOILED: [string, Record<string, string>, string][] = [
  [
    'an import upwards',
    { 'api/src/engine/query/x.ts': `import { a } from '#engine/write/trash.ts'` },
    'against the picture',
  ],
  [
    'an import into a folder below',
    { 'api/src/platform/x.ts': `import { a } from './http/auth.ts'` },
    'against the picture',
  ],
  [
    'an import of a stranger',
    { 'api/src/tickets/x.ts': `export { a } from '#clients/me.ts'` },
    'against the picture',
  ],
  [
    'an import of the wiring',
    { 'api/src/tickets/x.ts': `import type { Product } from '#app.ts'` },
    'against the picture',
  ],
  [
    'an import while running',
    { 'api/src/engine/x.ts': `await import('#jobs/worker.ts')` },
    'against the picture',
  ],
  [
    'an engine that knows the models',
    { 'api/src/engine/x.ts': `import { models } from '@gatehouse/model/models'` },
    'imports the models',
  ],
  [
    'an engine that names a model',
    { 'api/src/engine/x.ts': `modelOf(engine, 'contacts')` },
    'x.ts names the model "contacts"',
  ],
  [
    'a statement on the table of a model',
    { 'api/src/platform/x.ts': 'sql`select 1 from tickets t`' },
    'x.ts names the model "tickets"',
  ],
  [
    'an address of a model',
    { 'api/src/platform/http/x.ts': `app.get('/api/services')` },
    'x.ts names the model "services"',
  ],
  [
    'a folder nobody drew',
    { 'api/src/hall/x.ts': `import { a } from '#platform/db.ts'` },
    'is in no room',
  ],
  [
    'a write past the mutation layer',
    { 'web/src/desk/x.ts': `import { send } from '#data/send.ts'` },
    'writes past data/mutate.ts',
  ],
  ['a long file', { 'api/src/tickets/x.ts': 'a\n'.repeat(251) }, 'has 251 lines'],
  ['a long stylesheet', { 'web/src/desk/x.scss': '  a\n'.repeat(251) }, 'has 251 lines'],
  [
    'a rule outside the layers',
    { 'web/src/desk/x.scss': '.x {\n  color: red;\n}' },
    'stands in no layer',
  ],
  [
    'a page among the components',
    { 'web/src/desk/x.scss': '@layer components {\n}' },
    'stands in no layer of its folder',
  ],
  [
    'a circle of folders',
    {
      'api/src/platform/x.ts': `import '#security/y.ts'`,
      'api/src/security/y.ts': `import '#platform/x.ts'`,
    },
    'circle',
  ],
]

test.each(SPOILED)('%s is found', (_what, files, sentence) => {
  const found = findings(new Map([...SOURCES, ...Object.entries(files)]))
  expect(found.join('\n')).toContain(sentence)
})

test('.oxlintrc.json has the rules of rooms.ts', () => {
  const { overrides } = JSON.parse(readFileSync(join(TOP, '.oxlintrc.json'), 'utf8')) as {
    overrides: { files: string[]; rules: Record<string, unknown> }[]
  }
  for (const root of Object.keys(PICTURE) as Root[]) {
    const told = overrides.filter(({ files }) => files.every((file) => file.startsWith(`${root}/`)))
    expect(told).toEqual(lintOverrides(root))
  }
  expect(overrides).toContainEqual(SITE_OVERRIDE)
})
