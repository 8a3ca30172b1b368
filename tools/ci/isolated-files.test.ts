import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ISOLATED } from './isolated-files.ts'

const ROOT = new URL('../../', import.meta.url)
/** Changes that outlive a test file in a shared process. */
const LASTING = /process\.env\[[^\]]+\] = |useFakeTimers|stubGlobal\(|stubEnv\(|startPostgres\(/

test('files of api and web that change their process are isolated', () => {
  const changing = globSync('{api,web}/src/**/*.test.{ts,tsx}', { cwd: ROOT }).filter((path) =>
    LASTING.test(readFileSync(new URL(path, ROOT), 'utf8')),
  )
  expect(changing.length).toBeGreaterThan(5)
  expect(changing.filter((path) => !(path in ISOLATED))).toEqual([])
})

test('every isolated file exists', () => {
  expect(Object.keys(ISOLATED).filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([])
})
