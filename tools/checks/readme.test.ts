import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addField } from '../../ops/drills/kit/next-release.ts'
import { serveCopy } from './served-copy.ts'
import { withoutSite } from '../build/workspace.ts'

// Writes the code blocks of the README's sections about a site, and runs their commands.
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

type Block = { language: string; text: string; /** The last file named before it. */ file: string }

const GIT_IDENTITY = {
  GIT_AUTHOR_NAME: 'test',
  GIT_AUTHOR_EMAIL: 'test@example.test',
  GIT_COMMITTER_NAME: 'test',
  GIT_COMMITTER_EMAIL: 'test@example.test',
}

const blocks = blocksOf(sectionOf('## Add a model'))
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => commandsOf(text))
const model = blocks.find(({ language }) => language === 'ts')?.text ?? ''
const path = /path: '([^']+)'/.exec(model)?.[1] ?? ''

/** Some tests run ten commands of seconds each. */
const TIMEOUT_MS = 400_000

const { call, folder, sql, migrationUrl } = serveCopy((copy) => follow(blocks, copy))

test('adding a model as in the README takes a folder, two files, three commands and a restart of the stack', () => {
  expect(blocks.map(({ language, file }) => [language, file])).toEqual([
    ['sh', ''],
    ['ts', `site/models/${path}.ts`],
    ['ts', 'site/index.ts'],
    ['sh', 'site/index.ts'],
  ])
  expect(commands[0]).toBe('cp -r sample site')
  expect(commands.slice(1).map((command) => command.split(' ')[2])).toEqual([
    'db:migration',
    'openapi',
    'notice:write',
    'stack',
    'stack',
  ])
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

test(
  'testing a rule as in the README takes two files and two commands, and a broken rule fails',
  () => {
    const section = blocksOf(sectionOf('## Test your rules'))
    const [rule] = section.map(({ file }) => file)
    expect(rule).toBe('site/behaviours/visits.ts')
    follow(section, folder())
    const file = join(folder(), rule ?? '')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace("=== 'Done'", "!== 'Done'"))
    expect(() => run('npm test -- --project site')).toThrow('a visit is not done before its day')
    writeFileSync(file, text)
  },
  TIMEOUT_MS,
)

test(
  'changing a model with records as in the README keeps them, while the release before serves',
  async () => {
    const { id } = await createVisit()
    const cancelled = await call('PUT', `/api/${path}/${id}`, 'admin', { outcome: 'Cancelled' })
    expect(cancelled.status, cancelled.text).toBe(200)

    follow(blocksOf(sectionOf('## Change a model that has records')), folder(), onDatabase())

    const rows = await sql('select purpose, minutes, outcome from site_visits')
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.filter(({ minutes }) => minutes !== 60)).toEqual([])
    expect(rows.filter(({ outcome }) => outcome === 'Cancelled')).toEqual([])
    expect(await createVisit()).toMatchObject({ purpose: 'Survey' })
    const document = JSON.parse(readFileSync(join(folder(), 'site/openapi.json'), 'utf8'))
    expect(Object.keys(document.components.schemas[`${path}-read`].properties)).toContain('reason')
  },
  TIMEOUT_MS,
)

test(
  'taking a new release as in the README migrates product and site, and keeps the site’s files',
  async () => {
    const release = publishRelease()
    try {
      follow(blocksOf(sectionOf('## Take a new release')), folder())
      // `stack -- up` does.
      expect(run('npm run --silent db:migrate', folder(), onDatabase())).toContain(
        '-add-channel.sql',
      )
    } finally {
      rmSync(release, { recursive: true, force: true })
    }
    const document = JSON.parse(readFileSync(join(folder(), 'site/openapi.json'), 'utf8'))
    expect(Object.keys(document.components.schemas['tickets-read'].properties)).toContain('channel')
    expect(Object.keys(document.components.schemas[`${path}-read`].properties)).toContain('reason')
    expect(await sql('select channel from tickets')).toEqual([])
  },
  TIMEOUT_MS,
)

async function createVisit(): Promise<{ id: string }> {
  const client = await call('POST', '/api/organisations', 'admin', { name: 'Copper & Sons' })
  const body = { purpose: 'Survey', organisation: client.json.id }
  const made = await call('POST', `/api/${path}`, 'admin', body)
  expect(made.status, made.text).toBe(201)
  return made.json
}

/** The copy becomes a clone with its site committed; a release follows at its origin. */
function publishRelease() {
  const copy = folder()
  const origin = mkdtempSync(join(tmpdir(), 'gatehouse-origin-'))
  const commit = (message: string, ...paths: string[]) => {
    run(`git add ${paths.join(' ')}`)
    run(`git commit --quiet --message ${message}`)
  }
  run('git init --quiet --initial-branch=product')
  commit('before', '--all', '--', ':!site')
  run('git checkout --quiet -b provider')
  commit('site', 'site')
  run('git checkout --quiet product')
  addField(copy)
  commit('release', '--all')
  run('git tag v0.2.0')
  run(`git clone --quiet --bare ${copy} ${origin}`)
  run('git tag --delete v0.2.0')
  run(`git remote add origin ${origin}`)
  run('git checkout --quiet provider')
  return origin
}

function follow(section: Block[], copy: string, env = {}) {
  for (const { language, file, text } of section)
    if (language === 'ts') writeFileSync(join(copy, file), `${text}\n`)
    else if (language === 'diff') patch(join(copy, file), text)
    else
      for (const line of commandsOf(text).filter((one) => !isOfMachine(one))) run(line, copy, env)
}

function patch(file: string, difference: string) {
  let text = readFileSync(file, 'utf8')
  for (const hunk of difference.split('\n@@\n')) {
    const lines = hunk.split('\n')
    const side = (mark: string) =>
      lines.filter((line) => ` ${mark}`.includes(line[0] ?? '')).map((line) => line.slice(1))
    const [old, wanted] = [side('-').join('\n'), side('+').join('\n')]
    expect(text, file).toContain(old)
    text = text.replace(old, () => wanted)
  }
  writeFileSync(file, text)
}

function sectionOf(heading: string) {
  const [, after = ''] = README.split(`\n${heading}\n`)
  return after.split('\n## ')[0] ?? ''
}

function blocksOf(section: string): Block[] {
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].map((match) => {
    const [, language = '', text = ''] = match
    const files = prose(section.slice(0, match.index)).matchAll(/`([\w./-]+\/[\w.-]+\.ts)`/g)
    return { language, text, file: [...files].at(-1)?.[1] ?? '' }
  })
}

function prose(text: string) {
  return text.replace(/^```\w+\n[\s\S]*?\n```$/gm, '')
}

function commandsOf(text: string) {
  return text.split('\n').map((line) => line.replace(/\s+#.*$/, '').trim())
}

/** The test starts the API instead of the stack, and the copy has the packages. */
function isOfMachine(command: string) {
  return command.startsWith('npm run stack -- ') || command.startsWith('npm ci ')
}

/** Instead of the stack's. */
const onDatabase = () => ({ DATABASE_MIGRATION_URL: migrationUrl() })

function run(command: string, copy = folder(), env = {}) {
  const [program = '', ...args] = command.split(' ')
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: copy,
    env: { ...withoutSite(), ...GIT_IDENTITY, ...env },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`)
  return stdout
}
