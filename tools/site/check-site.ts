import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { checkRecipients, SITE_SCHEMA } from '@gatehouse/model'
import { format } from 'prettier'
import { checkInstallation, models } from '../../api/src/installation.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'
import { mistakesOf } from '../../api/src/pages/brand-files.ts'
import { hasVersions } from '../../api/src/privacy/notice/versions.ts'
import { readMigrationSources } from '../db/migration-sources.ts'
import { findUnrepeatable } from '../db/repeatable.ts'
import { checkNotice, checkSamples } from '../../ops/doctor/configuration.ts'
import type { Finding, Installation } from '../../ops/doctor/finding.ts'
import { readInstallation } from '../../ops/doctor/installation.ts'
import {
  documentsInUse,
  onDisk,
  serialiseDocument,
  undeclaredBreakingChanges,
} from '../openapi/document.ts'
import { CHECKOUT } from '../stack/settings.ts'

const SCHEMA_FILE = join(CHECKOUT, 'model/site.schema.json')

type Options = { isProduction: boolean; isWritten: boolean }

export async function findSiteProblems(folder: string, { isProduction, isWritten }: Options) {
  const schema = await format(JSON.stringify(SITE_SCHEMA), { parser: 'json', printWidth: 100 })
  if (isWritten) writeFileSync(SCHEMA_FILE, schema)
  const config = readConfig(join(folder, 'site.json'))
  const installation = readInstallation({ ...process.env, NODE_ENV: 'production' })
  const samples = toSentences(checkSamples(installation))
  const invalid = checkInstallation()
  const { breaches, stale } = readOpenApi()
  return {
    ofSettings: [...mistakesOf(config.brand, folder), ...(isProduction ? samples : [])],
    // Recipients are read from declarations that the first checks want.
    definitions: invalid.length > 0 ? invalid : checkRecipients(models, config),
    others: [
      ...(readFileSync(SCHEMA_FILE, 'utf8') === schema
        ? []
        : ['model/site.schema.json is out of date: npm run site:check -- --write']),
      // Neither tables nor the notice can be derived from invalid models.
      ...(invalid.length > 0 ? [] : [...checkTables(), ...checkVersions(installation)]),
      ...checkSql(join(folder, 'migrations')),
      ...breaches,
    ],
    warnings: [...stale, ...(isProduction ? [] : samples)],
  }
}

const toSentences = (findings: Finding[]) =>
  findings
    .filter(({ level }) => level !== 'ok')
    .map((finding) => `${finding.what}: ${'todo' in finding ? finding.todo : ''}`)

/** Without a version the API starts with a first draft. */
const checkVersions = (installation: Installation) =>
  hasVersions(installation.settings?.noticeFolder)
    ? toSentences(checkNotice(installation).filter(({ level }) => level === 'failure'))
    : []

function checkTables() {
  const [, { differing }] = readMigrationSources()
  if (differing.length === 0) return []
  return [
    `The models differ from the migrations of the site (${differing.join(', ')}): npm run db:migration NAME`,
  ]
}

/** Uses the product's rules: .squawk.toml. */
function checkSql(folder: string) {
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.sql'))
    : []
  if (files.length === 0) return []
  const unrepeatable = files.flatMap((name) => {
    const file = join(folder, name)
    return findUnrepeatable(relative(CHECKOUT, file), readFileSync(file, 'utf8'))
  })
  const { status, stdout, stderr } = spawnSync(
    'squawk',
    ['--config', join(CHECKOUT, '.squawk.toml'), ...files.map((name) => join(folder, name))],
    { encoding: 'utf8' },
  )
  const unsafe =
    status === 0 ? [] : [`A migration of the site is not safe:\n${stdout}${stderr}`.trim()]
  return [...unrepeatable, ...unsafe]
}

/** Breaking changes must be declared. An outdated file is only a warning: any product release may cause it. */
function readOpenApi() {
  const site = documentsInUse().find(({ isSite }) => isSite)
  const known = site && onDisk(site)
  if (!site || !known) return { breaches: [], stale: [] }
  const breaches = undeclaredBreakingChanges(site)
  return {
    breaches:
      breaches.length > 0
        ? [
            `The API of the site has undeclared breaking changes:\n${breaches.map((breach) => `  ${breach}`).join('\n')}\nTo declare them: npm run openapi -- --breaking "the reason, for API clients"`,
          ]
        : [],
    stale:
      serialiseDocument(known) === serialiseDocument(site.document)
        ? []
        : ['openapi.json of the site is out of date: npm run openapi'],
  }
}
