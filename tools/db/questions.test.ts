import { expect, test } from 'vitest'
import { buildQuestions, requireKnownNames } from './questions.ts'

const NONE = { value: [], replace: [], delete: [] }
const deletion = {
  option: 'delete',
  key: 'site_jobs.minutes',
  text: 'Type minutes to delete its values',
  check: (answer: string) => (answer === 'minutes' ? null : 'nothing is deleted'),
} as const

function typing(...lines: string[]) {
  const prompts: string[] = []
  const read = async (prompt: string) => {
    prompts.push(prompt)
    return lines.shift() ?? ''
  }
  return { prompts, read }
}

test('Enter and a wrong word ask again before values are deleted', async () => {
  const { prompts, read } = typing('', 'y', 'minute', 'minutes')
  expect(await buildQuestions(NONE, read).ask(deletion)).toBe('minutes')
  expect(prompts).toHaveLength(4)
})

test('Enter takes the suggested value of a question that has one', async () => {
  const { read } = typing('')
  const question = { ...deletion, option: 'value', check: () => null, byDefault: 'New' } as const
  expect(await buildQuestions(NONE, read).ask(question)).toBe('New')
})

test('an option answers without a terminal, and is reported if nothing asks for it', async () => {
  const questions = buildQuestions(
    { ...NONE, delete: ['site_jobs.minutes'], value: ['site_jobs.a==now()'] },
    null,
  )
  expect(await questions.ask(deletion)).toBe('minutes')
  expect(questions.unused()).toEqual(['--value site_jobs.a'])
  const value = { ...deletion, option: 'value', key: 'site_jobs.a', check: () => null } as const
  expect(await questions.ask(value)).toBe('=now()')
  expect(questions.unused()).toEqual([])
})

test('without a terminal and without an option, the error names the option', async () => {
  await expect(buildQuestions(NONE, null).ask(deletion)).rejects.toThrow(
    'answer with --delete site_jobs.minutes',
  )
})

test('an option with an invalid answer is rejected', async () => {
  const questions = buildQuestions({ ...NONE, value: ['site_jobs.a=x'] }, null)
  const question = { ...deletion, option: 'value', key: 'site_jobs.a' } as const
  await expect(questions.ask(question)).rejects.toThrow('--value site_jobs.a: nothing is deleted')
})

test('an option with the name of an unknown table or column is rejected by that name', () => {
  const columnsIn = (table: string) => (table === 'site_jobs' ? ['minutes', 'id', 'id'] : [])
  const check = (option: object) => () => requireKnownNames({ ...NONE, ...option }, columnsIn)
  expect(check({ value: ['site_jobs.minuts=60'] })).toThrow(
    '--value site_jobs.minuts: the table site_jobs has no column minuts; it has id, minutes',
  )
  expect(check({ replace: ['site_job.state:Old=New'] })).toThrow(
    '--replace site_job.state:Old: no table site_job',
  )
  expect(
    check({
      value: ['site_jobs.minutes=1', 'site_jobs.minutes:id=minutes'],
      delete: ['site_jobs.id', 'site_jobs'],
    }),
  ).not.toThrow()
})
