import { isInTransaction, statementsOf } from '../../api/src/platform/migrate.ts'

/** Statements of a file without a transaction: an interrupted one runs again from the start. */
const REPEATABLE = [
  /^CREATE (UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS /i,
  /^REINDEX \(?CONCURRENTLY|^REINDEX \w+ CONCURRENTLY /i,
  /^DROP \w+ (CONCURRENTLY )?IF EXISTS /i,
  /^ALTER INDEX IF EXISTS /i,
  /^ALTER TABLE [^;]* VALIDATE CONSTRAINT /i,
  /^ALTER TABLE "?\w+"? (ADD COLUMN IF NOT EXISTS|DROP (COLUMN|CONSTRAINT) IF EXISTS) [^,;]*;?$/i,
  /^(UPDATE|DELETE FROM) [^;]*\bWHERE\b/i,
  /^INSERT INTO [^;]*\b(WHERE NOT EXISTS|ON CONFLICT)\b/i,
  /^DO \$\$[^]*\bUPDATE\b[^;]*\bWHERE\b[^]*\bCOMMIT;/i,
  /^(ANALYZE|SET|RESET|SELECT) ?/i,
]

/** Errors as `file:line: sentence`. */
export function findUnrepeatable(file: string, text: string): string[] {
  if (isInTransaction(text)) return []
  let end = 0
  return statementsOf(text).flatMap((block) => {
    const start = text.indexOf(block, end)
    end = start + block.length
    const statement = block.replaceAll(/^\s*--.*\n?/gm, '').trim()
    if (statement === '') return []
    const comments = /^(?:\s*--.*\n|\s*\n)*/.exec(block)?.[0] ?? ''
    const line = (text.slice(0, start) + comments).split('\n').length
    const mistake = mistakeOf(statement)
    return mistake ? [`${file}:${line}: ${mistake}`] : []
  })
}

function mistakeOf(statement: string) {
  const code = statement.replaceAll(/'(?:[^']|'')*'|--.*$/gm, '')
  const bare = code.replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, '')
  if (/;\s*\S/.test(bare))
    return 'two statements without an empty line between them; PostgreSQL would run both in one transaction'
  if (REPEATABLE.some((pattern) => pattern.test(code))) return null
  return `"${statement.split('\n')[0] ?? ''}" fails or counts twice if the file, which has no transaction, is run again: use IF EXISTS or IF NOT EXISTS, or a condition`
}
