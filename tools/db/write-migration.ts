import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { NO_TRANSACTION } from '../../api/src/platform/migrate.ts'
import type { MigrationSource } from './migration-sources.ts'
import type { PlannedFile } from './plan-migration.ts'

/** Numbers the files of one change; the first has its plain name. Returns what it wrote. */
export function writeMigration(
  { folder, prefix }: Pick<MigrationSource, 'folder' | 'prefix'>,
  title: string,
  files: PlannedFile[],
) {
  return files.map(({ part, isRepeatable, steps }, index) => {
    mkdirSync(folder, { recursive: true })
    const numbers = readdirSync(folder).map((file) => Number.parseInt(file, 10) || 0)
    const number = String(Math.max(0, ...numbers) + 1).padStart(4, '0')
    const file = `${number}-${index === 0 ? title : `${title}-${part}`}.sql`
    const text = steps.map((step) => (typeof step === 'string' ? step : step(prefix + file)))
    const head = isRepeatable ? `${NO_TRANSACTION}\n${IN_FILE}\n` : ''
    const url = new URL(file, folder)
    writeFileSync(url, `${head}${text.join('\n\n')}\n`)
    return url
  })
}

/** Squawk takes every file to be in a transaction. */
const IN_FILE = '-- squawk-ignore-file ban-concurrent-index-creation-in-transaction'
