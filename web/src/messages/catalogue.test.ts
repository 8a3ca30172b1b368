// @vitest-environment node
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { catalogueOf, messages } from '../../messages.ts'

vi.setConfig({ testTimeout: 60_000 })

const ENGLISH = join(import.meta.dirname, 'en')
/** Inside the workspace: its files import `#base/…`. */
const TESTS = join(import.meta.dirname, '../../.test')
mkdirSync(TESTS, { recursive: true })
const folder = mkdtempSync(join(TESTS, 'messages-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Every word a third longer, as another language would be; the code around the texts stays. */
const longer = (source: string) =>
  source.replaceAll(
    /(?<=: |=> )'([^'\n]+)'/g,
    (_, text: string) =>
      `'${text.replaceAll(/\p{L}{3,}/gu, (word) => word + 'ö'.repeat(Math.ceil(word.length * 0.35)))}'`,
  )

function makeCatalogue() {
  const catalogue = join(folder, 'qq')
  mkdirSync(catalogue)
  for (const name of readdirSync(ENGLISH))
    writeFileSync(join(catalogue, name), longer(readFileSync(join(ENGLISH, name), 'utf8')))
  return catalogue
}

/** What `#messages/list.ts` is in a build with this catalogue and these words of a site. */
async function load(catalogue: string, own: string, area: string) {
  const server = await createServer({
    configFile: false,
    root: join(import.meta.dirname, '../..'),
    plugins: [messages({ catalogue, own })],
    server: { middlewareMode: true, fs: { strict: false } },
    logLevel: 'silent',
  })
  try {
    const { provideParts } = await server.ssrLoadModule('/src/base/site-data.ts')
    provideParts(inject('siteParts'))
    return await server.ssrLoadModule(`#messages/${area}.ts`)
  } finally {
    await server.close()
  }
}

test('a locale takes its own catalogue, its language’s, else English', () => {
  mkdirSync(join(folder, 'de'))
  mkdirSync(join(folder, 'de-AT'))
  expect(['de-AT', 'de-DE', 'fr-FR', 'en-IE'].map((locale) => catalogueOf(locale, folder))).toEqual(
    ['de-AT', 'de', 'en', 'en'],
  )
})

test('a second language is a folder with the same files', async () => {
  const catalogue = makeCatalogue()
  const none = join(folder, 'none')
  const { listMessages } = await load(catalogue, none, 'list')
  expect(listMessages.view).toBe('Viewöö')
  expect(listMessages.range(1, 25, '48')).toBe('<b>1–25</b> of 48')
})

test('a site overrides messages of an area; unknown keys and specified texts are refused', async () => {
  const own = join(folder, 'own')
  mkdirSync(own)
  writeFileSync(join(own, 'list.ts'), "export default { view: 'Layout' }")
  const { listMessages } = await load(ENGLISH, own, 'list')
  expect([listMessages.view, listMessages.trash]).toEqual(['Layout', 'Trash'])

  writeFileSync(join(own, 'list.ts'), "export default { veiw: 'Layout' }")
  await expect(load(ENGLISH, own, 'list')).rejects.toThrow('There is no message list.veiw')

  writeFileSync(join(own, 'specified.ts'), 'export default {}')
  expect(() => messages({ catalogue: ENGLISH, own })).toThrow('the specification’s texts are fixed')
  rmSync(join(own, 'specified.ts'))
  writeFileSync(join(own, 'lists.ts'), 'export default {}')
  expect(() => messages({ catalogue: ENGLISH, own })).toThrow('no such area')
})
