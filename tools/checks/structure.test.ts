import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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

test('engine and platform name no model, and every style is in the layer of its folder', () => {
  expect(findings(SOURCES)).toEqual([])
})

test('no class is styled by two folders: both style sheets stay loaded when pages change', () => {
  const folders = new Map<string, Set<string>>()
  for (const [path, text] of SOURCES)
    if (path.endsWith('.scss'))
      for (const [, name = ''] of text.matchAll(/^ {2}\.([a-z][\w-]*)(?= \{|,$)/gm)) {
        const folder = path.split('/').slice(0, 3).join('/')
        folders.set(name, (folders.get(name) ?? new Set()).add(folder))
      }
  expect(folders.size).toBeGreaterThan(100)
  expect([...folders].filter(([, places]) => places.size > 1)).toEqual([])
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

test('the entry module of public pages imports neither React nor the sign-in client', () => {
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
    'a URL of a model',
    { 'api/src/platform/http/x.ts': `app.get('/api/services')` },
    'x.ts names the model "services"',
  ],
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
]

test.each(SPOILED)('the structure check reports %s', (_what, files, sentence) => {
  const found = findings(new Map([...SOURCES, ...Object.entries(files)]))
  expect(found.join('\n')).toContain(sentence)
})
