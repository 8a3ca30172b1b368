import { FIELD_TYPES, type Model } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { check, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { readEnv } from '../../api/src/platform/env.ts'
import { DASHBOARD_FILE } from './dashboard.ts'
import { ENV_FILE } from './env-settings.ts'
import { MODELS_PAGE } from './models-page.ts'
import { buildPages, findStale } from './pages.ts'
import { problemsOf } from './problem-codes.ts'
import { EXAMPLE_FILE, SETTINGS_PAGE } from './settings-page.ts'
import { buildSources, readRepository } from './sources.ts'

const pages = await buildPages(buildSources())
const page = (path: string) => pages.get(path) ?? ''
const FIELDS_FILE = 'model/src/definition/fields.ts'

/** A reader of the repository in which one file differs. */
const withChange = (file: string, from: string, to: string) => (path: string) => {
  const text = readRepository(path)
  if (path !== file) return text
  expect(text).toContain(from)
  return text.replace(from, to)
}

test('the models page has every field type, model and field', () => {
  const text = page(MODELS_PAGE)
  for (const type of Object.keys(FIELD_TYPES)) expect(text).toContain(`\n| \`${type}\` `)
  for (const { title, fields } of models) {
    const [, section = ''] = text.split(`\n### ${title}\n`)
    const [own = ''] = section.split('\n### ')
    for (const name of Object.keys(fields)) expect(own, title).toContain(`\n| \`${name}\` `)
  }
})

test('the settings page and .env.example have every setting that readEnv reads', () => {
  const names = new Set<string>()
  const recording = new Proxy<NodeJS.ProcessEnv>(
    // With these, so that the settings of the service account and the migration role are read too.
    {
      DATABASE_URL: 'x',
      DATABASE_MIGRATION_URL: 'x',
      OIDC_ISSUER: 'x',
      IDENTITY_SERVICE_SECRET: 'x',
    },
    {
      get: (target, name) => {
        names.add(String(name))
        return target[String(name)]
      },
    },
  )
  readEnv(recording)
  // No longer supported: it is only rejected.
  names.delete('SITE_FILE')
  expect(names.size).toBeGreaterThan(35)
  expect(names).toContain('DATABASE_MIGRATION_PASSWORD_FILE')
  for (const name of names) {
    expect(page(SETTINGS_PAGE)).toContain(`\n| \`${name}\` `)
    expect(page(EXAMPLE_FILE)).toMatch(new RegExp(`^#?${name}=`, 'm'))
  }
})

test('the settings page has the defaults that readEnv applies', () => {
  const env = readEnv({ DATABASE_URL: 'postgres://x', OIDC_ISSUER: '<issuer>' })
  const rowOf = (name: string) =>
    page(SETTINGS_PAGE)
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}\` `))
  expect(rowOf('PORT')).toContain(`\`${env.port}\``)
  expect(rowOf('DRAIN_MS')).toContain(`\`${env.drainMs}\``)
  expect(rowOf('NOTICE_DRIFT')).toContain(`| \`${env.noticeDrift}\` `)
  expect(rowOf('OIDC_JWKS_URI')).toContain(`\`${env.token.jwksUri}\``)
  expect(rowOf('DATABASE_URL')).toContain('**required**')
})

test('.env.example sets no secret', () => {
  const [settings = ''] = page(EXAMPLE_FILE).split('\n# Settings of other programs')
  for (const name of ['DATABASE_PASSWORD', 'SMTP_URL', 'IDENTITY_SERVICE_SECRET'])
    expect(settings).toContain(`\n#${name}=\n`)
  expect(settings).not.toMatch(/^#?[A-Z_]+=.*:[^/\s:@]+@/m)
})

test('the models page has the order of hooks that run-hooks.test.ts proves', () => {
  const text = page(MODELS_PAGE).replaceAll(/ +/g, ' ')
  const rowOf = (event: string) =>
    text.split('\n').find((line) => line.startsWith(`| \`${event}\` | \`before`))
  expect(rowOf('create')).toMatch(/before\.create.*computed.*validate.*write.*after\.create/)
  expect(rowOf('update')).toMatch(/before\.update.*computed.*validate.*write.*after\.update/)
  expect(rowOf('delete')).toMatch(/before\.delete.*write.*after\.delete/)
  expect(rowOf('restore')).toMatch(/before\.restore.*write.*validate.*after\.restore/)
  expect(rowOf('undo')).toMatch(/before\.undo.*write.*validate.*after\.undo/)
})

test('problem codes are found wherever the API creates one', () => {
  const codes = problemsOf(buildSources()).map(({ status, code }) => `${status} ${code}`)
  expect(codes).toEqual(
    expect.arrayContaining(['404 record-not-found', '409 address-gone', '503 overloaded']),
  )
})

test('the stored pages are up to date', async () => {
  expect(await findStale(buildSources())).toEqual([])
})

test('the generated files have the format that prettier expects', async () => {
  for (const path of [MODELS_PAGE, SETTINGS_PAGE, DASHBOARD_FILE]) {
    const config = await resolveConfig(path)
    expect(await check(page(path), { ...config, filepath: path }), path).toBe(true)
  }
})

const [first, ...others] = models as [Model, ...Model[]]
const CHANGES: [string, Parameters<typeof buildSources>[0], string[]][] = [
  [
    'a changed access level',
    { models: [{ ...first, access: { ...first.access, list: 'public' } }, ...others] },
    [MODELS_PAGE],
  ],
  ['a new field type', { fieldTypes: { ...FIELD_TYPES, colour: FIELD_TYPES.text } }, [MODELS_PAGE]],
  [
    'a changed comment of an option',
    { read: withChange(FIELDS_FILE, '/** Must have a value. */', '/** Must not be empty. */') },
    [MODELS_PAGE],
  ],
  [
    'a changed default of a setting',
    { read: withChange(ENV_FILE, "number('PORT', 8081)", "number('PORT', 9999)") },
    [SETTINGS_PAGE, EXAMPLE_FILE],
  ],
]

test.each(CHANGES)('%s makes the check fail', async (_what, changes, stale) => {
  expect(await findStale(buildSources(changes))).toEqual(stale)
})

test('a dashboard that differs from its panels makes the check fail', async () => {
  const changed = withChange(DASHBOARD_FILE, '"title": "Gatehouse"', '"title": "Other"')
  expect(await findStale(buildSources(), changed)).toEqual([DASHBOARD_FILE])
})

test('a missing page makes the check fail', async () => {
  const without = (path: string) => {
    if (path === MODELS_PAGE) throw new Error('no such file')
    return readRepository(path)
  }
  expect(await findStale(buildSources(), without)).toEqual([MODELS_PAGE])
})

test('an option or a setting without a comment is rejected by name', async () => {
  const option = withChange(FIELDS_FILE, '  /** Must have a value. */\n', '')
  await expect(buildPages(buildSources({ read: option }))).rejects.toThrow('"required" needs')
  const setting = withChange(ENV_FILE, '  /** Port the API listens on. */\n', '')
  await expect(buildPages(buildSources({ read: setting }))).rejects.toThrow('PORT needs')
})
