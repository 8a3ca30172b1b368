import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function countUntyped(root: string) {
  const folder = join(root, 'api/src')
  const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return {
    // A capitalised name is a type.
    accesses: count(/(?:\b[a-z_]\w*|[\])])(?:\?\.)?\['[^']*'\]/g),
    settings: count(/\b(?:source|env)\['[A-Z_]+'\]/g),
    records: count(/Record<string, unknown>/g),
  }
}
