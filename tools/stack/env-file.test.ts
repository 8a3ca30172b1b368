import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { ENV_SAMPLES } from '../../ops/drills/kit/env-samples.ts'

const READER = new URL('../../ops/env-file.sh', import.meta.url).pathname
const WRITTEN_VALUES = 200
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-env-'))
afterAll(() => rmSync(directory, { recursive: true }))

function bash(script: string, ...args: string[]) {
  const command = `set -euo pipefail; . "$1"; shift; ${script}`
  return execFileSync('bash', ['-c', command, 'bash', READER, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' },
  })
}

/** The value of A after reading each file; null if unset. */
function readAll(texts: string[]) {
  const files = texts.map((text, index) => {
    const file = join(directory, `${index}.env`)
    writeFileSync(file, text)
    return file
  })
  const script = `for file; do (read_env_file "$file"; printf '%s\\0' "\${A+=}\${A-}"); done`
  const found = bash(script, ...files).split('\0')
  return texts.map((_text, index) => (found[index]?.startsWith('=') ? found[index].slice(1) : null))
}

test('an env file is read as systemd reads it', () => {
  const lines = ENV_SAMPLES.map(({ line }) => line)
  const values = readAll(lines)
  expect(ENV_SAMPLES.map(({ line }, index) => ({ line, value: values[index] }))).toEqual(
    ENV_SAMPLES,
  )
  expect(existsSync('/tmp/gatehouse-was-run')).toBe(false)
})

test('written lines survive a round trip, whatever the value', () => {
  const unit = fc.constantFrom(...Array.from('a1 $`"\'\\#;=%@!~*\t\n{}()&|<>é'))
  const values = fc.sample(fc.string({ unit }), { numRuns: WRITTEN_VALUES, seed: 14 })
  const lines = bash(`for value; do env_line A "$value"; printf '\\0'; done`, ...values).split('\0')
  expect(readAll(lines.slice(0, -1))).toEqual(values)
})

test('with `set -a` child processes get the settings', () => {
  const file = join(directory, 'exported.env')
  writeFileSync(file, 'A=p$5x\nB="two words"\n')
  expect(bash('set -a; read_env_file "$1"; printenv A B', file)).toBe('p$5x\ntwo words\n')
  expect(bash('read_env_file "$1"; printenv A || true', file)).toBe('')
})

test('a missing file is an error', () => {
  expect(() => bash('read_env_file /nowhere')).toThrow(/No such file/)
})
