import { ALL_QUESTIONS, type Answers, type Question } from './questions.ts'

/** An answer that clears an optional one. */
const NONE = '-'

type Prompt = {
  earlier: Answers
  /** Shows the text, and resolves with the line that was typed. */
  readLine: (text: string, options: { isHidden: boolean }) => Promise<string>
  print: (line: string) => void
}

/** Asks one after the other; a wrong answer alone is asked again. */
export async function askQuestions(questions: Question[], { earlier, readLine, print }: Prompt) {
  const answers: Answers = {}
  for (const question of questions) {
    if (question.isAsked?.(answers) === false) continue
    const { name, isSecret: isHidden = false } = question
    for (;;) {
      const suggestion = suggestionFor(question, { answers, earlier })
      const typed = await readLine(promptOf(question, suggestion), { isHidden })
      const { answer, error } = check(question, typed, { answers, earlier })
      answers[name] = answer
      if (!error) break
      print(`  ${error}`)
    }
  }
  return answers
}

/** Takes the answers from a file, and lists everything that is wrong with them. */
export function checkAnswers(
  questions: Question[],
  { given, earlier }: { given: Answers; earlier: Answers },
) {
  const answers: Answers = {}
  const errors = Object.keys(given)
    .filter((name) => !ALL_QUESTIONS.some((question) => question.name === name))
    .map((name) => `${name}: There is no question of this name; --help lists all.`)
  const wrong = new Set<string>()
  for (const question of questions) {
    const { name, suggestedFrom = '' } = question
    if (question.isAsked?.(answers) === false) continue
    const { answer, error } = check(question, given[name] ?? '', { answers, earlier })
    answers[name] = answer
    if (!error) continue
    wrong.add(name)
    if (given[name] || !wrong.has(suggestedFrom))
      errors.push(`${name}: ${answer ? error : `It is missing. ${error}`}`)
  }
  return { answers, errors }
}

type Before = { answers: Answers; earlier: Answers }

function check(question: Question, text: string, before: Before) {
  const { isOptional, findError } = question
  const typed = text.trim()
  if (isOptional && typed === NONE) return { answer: '', error: null }
  const answer = typed || suggestionFor(question, before)
  if (answer === '' && isOptional) return { answer, error: null }
  // Control characters would break a line of .env.
  const error = /\p{Cc}/u.test(answer) ? 'It must be one line.' : findError(answer, before.answers)
  return { answer, error }
}

const suggestionFor = ({ name, suggest }: Question, { answers, earlier }: Before) =>
  (suggest ? suggest(answers, earlier) : earlier[name]) ?? ''

function promptOf({ text, isSecret, isOptional }: Question, suggestion: string) {
  if (!suggestion) return `${text}: `
  const shown = isSecret ? 'as before' : suggestion
  return `${text} [${shown}${isOptional ? `; ${NONE} for none` : ''}]: `
}
