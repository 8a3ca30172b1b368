import { SetupError } from '../../api/src/platform/errors.ts'

/** Options of the command, each of which answers a question in advance. */
const OPTIONS = ['value', 'replace', 'delete'] as const
type Option = (typeof OPTIONS)[number]
export type Given = Record<Option, string[]>

type Question = {
  option: Option
  /** What it is about: `site_visits.outcome`. */
  key: string
  text: string
  /** An error, or null for a valid answer. */
  check: (answer: string) => string | null
  /** The answer if Enter is pressed; otherwise Enter asks again. */
  byDefault?: string | undefined
}

export type Ask = (question: Question) => Promise<string>

/** Reads a line; null without a terminal. */
export type ReadLine = ((prompt: string) => Promise<string>) | null

/** Answers from the command's options, then from the terminal. `unused` are options that no question needed. */
export function buildQuestions(given: Given, readLine: ReadLine) {
  const answers = new Map<string, string>(
    OPTIONS.flatMap((option) =>
      given[option].map((text) => {
        const [key = '', ...rest] = text.split('=')
        return [`--${option} ${key}`, option === 'delete' ? columnOf(key) : rest.join('=')] as const
      }),
    ),
  )
  const used = new Set<string>()

  const ask: Ask = async ({ option, key, text, check, byDefault }) => {
    const argument = `--${option} ${key}`
    const answer = answers.get(argument)
    if (answer !== undefined) {
      used.add(argument)
      const mistake = check(answer)
      if (mistake) throw new SetupError(`${argument}: ${mistake}`)
      return answer
    }
    if (!readLine)
      throw new SetupError(
        `${text}\nRun this in a terminal, or answer with ${argument}${option === 'delete' ? '' : `=${byDefault ?? '…'}`}`,
      )
    for (;;) {
      const typed = (
        await readLine(`${text}${byDefault === undefined ? '' : ` [${byDefault}]`}: `)
      ).trim()
      const answered = typed === '' ? byDefault : typed
      const mistake = answered === undefined ? null : check(answered)
      if (answered !== undefined && mistake === null) return answered
      if (mistake) console.error(mistake)
    }
  }

  return { ask, unused: () => [...answers.keys()].filter((argument) => !used.has(argument)) }
}

/** A mistyped name would otherwise be reported only after all questions, or as the answer to none. */
export function requireKnownNames(given: Given, columnsIn: (table: string) => string[]) {
  for (const option of OPTIONS)
    for (const text of given[option]) {
      const [key = ''] = text.split('=')
      const [table = '', column] = (key.split(':')[0] ?? '').split('.')
      const columns = columnsIn(table)
      if (columns.length === 0) throw new SetupError(`--${option} ${key}: no table ${table}`)
      if (column !== undefined && !columns.includes(column))
        throw new SetupError(
          `--${option} ${key}: the table ${table} has no column ${column}; it has ${[...new Set(columns)].sort().join(', ')}`,
        )
    }
}

/** `site_visits.minutes` is confirmed with `minutes`, a table with its own name. */
const columnOf = (key: string) => key.split('.').at(-1) ?? key
