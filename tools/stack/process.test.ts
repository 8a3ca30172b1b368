import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupOf, runLogged, startBackground, stopBackground, untilReady } from './process.ts'

let state: string
beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), 'gatehouse-process-'))
})
afterAll(() => rmSync(state, { recursive: true }))

test('stopping a background program ends its child processes too', async () => {
  const program = { name: 'family', state }
  startBackground(program, { command: 'sh', args: ['-c', 'sleep 100 & sleep 100'] })
  await setTimeout(200)
  expect(groupOf(program)).not.toBeNull()

  await stopBackground(program)
  expect(groupOf(program)).toBeNull()
})

test('stopping a background program ends its children even if their parent has exited', async () => {
  const program = { name: 'orphan', state }
  startBackground(program, { command: 'sh', args: ['-c', 'sleep 100 & exit 0'] })
  await setTimeout(200)
  expect(groupOf(program)).not.toBeNull()

  await stopBackground(program)
  expect(groupOf(program)).toBeNull()
})

test('a program that exits before it is ready is reported with the end of its log', async () => {
  const program = { name: 'broken', state }
  startBackground(program, { command: 'sh', args: ['-c', 'echo the reason; exit 3'] })
  const ready = untilReady(program, { isReady: async () => false, timeoutMs: 10_000 })
  await expect(ready).rejects.toThrow('broken exited before it was ready:\nthe reason')
})

test('a failing step is reported with the end of its log', async () => {
  const step = runLogged({ name: 'step', state }, 'sh', ['-c', 'echo no such thing; exit 1'])
  await expect(step).rejects.toThrow('step failed:\nno such thing')
})
