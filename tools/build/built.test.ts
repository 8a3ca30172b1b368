import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBuilt } from './built.ts'

const [EARLY, LATE] = [new Date('2026-01-01'), new Date('2026-02-01')]
const PARTS = { sources: ['web'], built: ['web/dist/last.js'] }

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-built-'))
  mkdirSync(join(root, 'web/src'), { recursive: true })
  mkdirSync(join(root, 'web/dist'))
  for (const file of ['web/src/main.ts', 'web/dist/last.js']) writeFileSync(join(root, file), '')
  for (const name of ['web/src/main.ts', 'web/src', 'web']) setTime(name, EARLY)
  setTime('web/dist/last.js', new Date('2026-01-02'))
})

afterEach(() => rmSync(root, { recursive: true }))

const setTime = (name: string, time: Date) => utimesSync(join(root, name), time, time)

test('a build is current after a test runner wrote to a workspace and to a hidden folder there', () => {
  mkdirSync(join(root, 'web/.test'))
  for (const name of ['web/.test', 'web']) setTime(name, LATE)
  expect(isBuilt(root, PARTS)).toBe(true)
})

test('a build is out of date after a source changed or was deleted, or without its last file', () => {
  setTime('web/src/main.ts', LATE)
  expect(isBuilt(root, PARTS)).toBe(false)
  setTime('web/src/main.ts', EARLY)
  expect(isBuilt(root, PARTS)).toBe(true)
  setTime('web/src', LATE)
  expect(isBuilt(root, PARTS)).toBe(false)
  setTime('web/src', EARLY)
  rmSync(join(root, 'web/dist/last.js'))
  expect(isBuilt(root, PARTS)).toBe(false)
})
