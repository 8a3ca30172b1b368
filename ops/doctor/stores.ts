import { existsSync, readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EXTERNAL_STORES } from '../../api/src/external-stores.ts'
import { declared } from '../../api/src/installation.ts'
import { connectDb } from '../../api/src/platform/db.ts'
import { compareDatabase } from '../../api/src/platform/http/health.ts'
import { failure, errorMessage, ok, warning, type Installation } from './finding.ts'

const STATE = '/var/lib/gatehouse'
/** Other programs' logs, such as the installer's, are ignored. */
export const LOGS_OF_OURS = /nginx|postgres|pgbackrest|keycloak|journal|gatehouse/
const DECLARE = 'remove it, or declare what it keeps about people in api/src/external-stores.ts'

/** Reports stores of personal data that are not declared: exports and erasure would miss them. */
export async function checkStores(installation: Installation) {
  const { env, logPlaces } = installation
  return [
    ...(await checkRelations(installation)),
    ...checkFolders(foldersIn(STATE)),
    ...checkLogFiles(await filesIn(logPlaces)),
    ...(env['UNDECLARED'] === 'warn'
      ? [
          warning(
            'UNDECLARED=warn lets the API start with undeclared tables',
            'remove UNDECLARED once nothing undeclared is left',
          ),
        ]
      : []),
  ]
}

async function checkRelations({ settings }: Installation) {
  if (!settings) return []
  const db = connectDb(settings.databaseUrl, { max: 1 })
  try {
    const extra = (await compareDatabase(db, declared())).filter(({ isMissing }) => !isMissing)
    return extra.length === 0
      ? [ok('Every table in the database is declared')]
      : extra.map(({ name, isAhead }) =>
          isAhead
            ? warning(
                `${name} in the database is not declared by this release, which is older than the database`,
                'leave it, and install the newer release again, which needs it',
              )
            : failure(
                `${name} in the database is not declared`,
                'drop it; a table of your own belongs in a model, a schema of your host’s in foreignSchemas of site/index.ts',
              ),
        )
  } catch (error) {
    return [
      warning(
        `Cannot compare the database with the declared tables: ${errorMessage(error)}`,
        'start PostgreSQL, or correct DATABASE_URL',
      ),
    ]
  } finally {
    await db.close()
  }
}

export const checkFolders = (folders: string[]) =>
  undeclared(folders).map((folder) => failure(`The folder ${folder} is not declared`, DECLARE))

export const checkLogFiles = (files: string[]) =>
  undeclared(files.filter((file) => file.startsWith('/var/log') && LOGS_OF_OURS.test(file))).map(
    (file) => failure(`The log ${file} is not declared`, `stop writing it, then ${DECLARE}`),
  )

const PLACES = Object.values(EXTERNAL_STORES).flatMap(({ places }) => places)

const undeclared = (paths: string[]) =>
  paths.filter((path) => !PLACES.some((place) => isIn(path, place)))

const isIn = (path: string, place: string) =>
  place.endsWith('*') ? path.startsWith(place.slice(0, -1)) : path === place

const foldersIn = (state: string) =>
  existsSync(state) ? readdirSync(state).map((name) => join(state, name)) : []

async function filesIn(places: string[]) {
  const files: string[] = []
  for (const place of places) {
    const found = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => [])
    files.push(
      ...found.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
    )
  }
  return files
}
