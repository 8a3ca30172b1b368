import { afterEach, expect, test, vi } from 'vitest'
import { runBeside } from './run.ts'

const say = (text: string, code: number) => ({
  name: text,
  command: ['node', '-e', `console.log('about ${text}'); process.exit(${code})`],
})
const log = vi.spyOn(console, 'log').mockImplementation(() => {})
afterEach(() => log.mockClear())

test('a failing check prints its output; the others continue and print only their result', async () => {
  const parts = [say('one', 0), say('two', 3), say('three', 0)]
  const done = await runBeside(parts, 2)
  const wrong = done.filter(({ isOk }) => !isOk)
  expect(done).toHaveLength(3)
  expect(wrong.map(({ name }) => name)).toEqual(['two'])
  const printed = log.mock.calls.flat().join('\n')
  expect(printed).toContain('about two\nFAILED  two')
  expect(printed).not.toMatch(/about (one|three)/)
})
