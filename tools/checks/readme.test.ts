import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveCopy } from './served-copy.ts'
import { withoutSite } from '../build/workspace.ts'

// Writes the code blocks of the README's "Add a model" and runs its commands.
const HEADING = '## Add a model'

type Block = { language: string; text: string; /** The last file named before it. */ file: string }

const blocks = blocksOf(
  sectionOf(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')),
)
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => commandsOf(text))
const model = blocks.find(({ language }) => language === 'ts')?.text ?? ''
const path = /path: '([^']+)'/.exec(model)?.[1] ?? ''

const { call, folder } = serveCopy((copy) => {
  for (const { language, file, text } of blocks)
    if (language === 'ts') writeFileSync(join(copy, file), `${text}\n`)
    // The test starts the API instead of the stack.
    else for (const line of commandsOf(text).filter((one) => !isOfStack(one))) run(line, copy)
})

test('adding a model as in the README takes a folder, two files, three commands and a restart of the stack', () => {
  expect(blocks.map(({ language, file }) => [language, file])).toEqual([
    ['sh', ''],
    ['ts', `site/models/${path}.ts`],
    ['ts', 'site/index.ts'],
    ['sh', 'site/index.ts'],
  ])
  expect(commands.slice(0, 2)).toEqual(['cp -r sample site', 'mkdir -p site/models'])
  expect(commands.slice(2).map((command) => command.split(' ')[2])).toEqual([
    'db:migration',
    'openapi',
    'notice:write',
    'stack',
    'stack',
  ])
})

test('the README’s model passes the compiler', () => {
  const project = {
    extends: './tsconfig.json',
    compilerOptions: { types: ['node'] },
    include: ['site/index.ts'],
  }
  writeFileSync(join(folder(), 'tsconfig.readme.json'), JSON.stringify(project))
  expect(run('npx tsc -p tsconfig.readme.json')).toBe('')
})

test('the README’s commands update the notice and OpenAPI', () => {
  expect(run('npm run --silent notice:check')).toContain('matches the program')
  expect(readFileSync(join(folder(), 'site/notice/1.0.json'), 'utf8')).toContain('Received by')
  const document = JSON.parse(readFileSync(join(folder(), 'site/openapi.json'), 'utf8'))
  expect(Object.keys(document.paths[`/api/${path}`])).toEqual(['get', 'post'])
})

test('the README’s model can be listed and created, and is hidden from other users', async () => {
  expect((await call('GET', `/api/${path}`, 'admin')).json).toMatchObject({ items: [] })
  const client = await call('POST', '/api/organisations', 'admin', { name: 'Example Ltd' })
  expect(client.status, client.text).toBe(201)
  const made = await call('POST', `/api/${path}`, 'admin', {
    purpose: 'Survey',
    organisation: client.json.id,
  })
  expect(made.status, made.text).toBe(201)
  expect((await call('GET', `/api/${path}`, 'admin')).json.items).toMatchObject([
    { id: made.json.id, purpose: 'Survey', outcome: 'Planned' },
  ])
  expect((await call('GET', `/api/${path}`, 'user')).json.items).toEqual([])
  expect((await call('GET', `/api/${path}/${made.json.id}`, 'user')).status).toBe(404)
})

test('the form of the README’s model has its fields in order', async () => {
  const { json } = await call('GET', `/api/${path}/form-metadata`, 'admin')
  const labels = [...model.matchAll(/label: '([^']+)'/g)].map((match) => match[1])
  expect(labels).toHaveLength(5)
  expect(json.fields.map(({ label }: { label: string }) => label)).toEqual(labels)
})

function sectionOf(text: string) {
  const [, after = ''] = text.split(`\n${HEADING}\n`)
  return after.split('\n## ')[0] ?? ''
}

function blocksOf(section: string): Block[] {
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].map((match) => {
    const [, language = '', text = ''] = match
    const files = prose(section.slice(0, match.index)).matchAll(/`([\w./-]+\/[\w-]+\.ts)`/g)
    return { language, text, file: [...files].at(-1)?.[1] ?? '' }
  })
}

function prose(text: string) {
  return text.replace(/^```\w+\n[\s\S]*?\n```$/gm, '')
}

function commandsOf(text: string) {
  return text.split('\n').map((line) => line.replace(/\s+#.*$/, '').trim())
}

function isOfStack(command: string) {
  return command.startsWith('npm run stack -- ')
}

function run(command: string, copy = folder()) {
  const [program = '', ...args] = command.split(' ')
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: copy,
    env: withoutSite(),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`)
  return stdout
}
