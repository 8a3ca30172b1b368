import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findUnrepeatable } from './repeatable.ts'

const HEAD = '-- no transaction\n'
const folder = new URL('../../api/migrations/', import.meta.url)

test.each([
  'CREATE INDEX "a" ON "t" ("b");',
  'CREATE INDEX CONCURRENTLY "a" ON "t" ("b");',
  'DROP INDEX CONCURRENTLY "a";',
  'ALTER TABLE "t" ADD COLUMN "a" text;',
  'ALTER TABLE "t" ADD COLUMN IF NOT EXISTS "a" text, ADD COLUMN "b" text;',
  'ALTER INDEX "a" RENAME TO "b";',
  'UPDATE "t" SET "n" = "n" + 1;',
  `INSERT INTO "t" VALUES ('where not exists');`,
  'DO $$ BEGIN UPDATE t SET a = 1; COMMIT; END $$;',
])('a statement that can’t run twice is reported with file and line: %s', (statement) => {
  const text = `${HEAD}\nUPDATE "t" SET "a" = 1 WHERE "a" IS NULL;\n\n-- Comment\n${statement}\n`
  expect(findUnrepeatable('site/migrations/0001-a.sql', text)).toEqual([
    expect.stringContaining('site/migrations/0001-a.sql:6: "'),
  ])
})

test('two statements without an empty line are reported, even if each may run again', () => {
  const drop = 'DROP INDEX CONCURRENTLY IF EXISTS "a";'
  expect(findUnrepeatable('a.sql', `${HEAD}${drop}\n${drop}\n`)).toEqual([
    expect.stringContaining('a.sql:2: two statements'),
  ])
})

test('a file in a transaction may contain anything', () => {
  expect(findUnrepeatable('a.sql', 'CREATE INDEX "a" ON "t" ("b");')).toEqual([])
})

test('every migration of the product without a transaction may run again', () => {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.sql')))
    expect(findUnrepeatable(name, readFileSync(new URL(name, folder), 'utf8'))).toEqual([])
})
