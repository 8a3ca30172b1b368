import { join } from 'node:path'

/**
 * Grades pages by the rules of MDN's HTTP Observatory and prints JSON. A separate process, which trusts the drill's
 * certificate.
 */
const [, , tool = '', httpPort = '', httpsPort = '', ...paths] = process.argv

type Result = { result: string; pass: boolean; constructor: { name: string } }
type Tool = {
  retrieve: (host: string, options: object) => Promise<{ responses: { auto: unknown } }>
  ALL_TESTS: ((requests: unknown) => Result)[]
  getScoreModifier: (result: string) => number
  getGradeForScore: (score: number) => { grade: string; score: number }
  MINIMUM_SCORE_FOR_EXTRA_CREDIT: number
}
const load = async (name: string) => (await import(join(tool, 'src', name))) as Tool
const { retrieve } = await load('retriever/retriever.js')
const { ALL_TESTS } = await load('constants.js')
const { getGradeForScore, getScoreModifier } = await load('grader/grader.js')
const { MINIMUM_SCORE_FOR_EXTRA_CREDIT } = await load('grader/charts.js')

const grades = await Promise.all(paths.map(async (path) => ({ path, ...(await grade(path)) })))
console.log(JSON.stringify(grades))

/** Scores like its own scan(), which would reject a legitimate 404 page. */
async function grade(path: string) {
  const requests = await retrieve('localhost', { path, httpPort, httpsPort })
  if (!requests.responses.auto) throw new Error(`${path} does not respond`)
  const results = ALL_TESTS.map((run) => run(requests))
  const changes = results.map(({ result }) => getScoreModifier(result))
  const lost = 100 + sum(changes.filter((change) => change < 0))
  const score = lost >= MINIMUM_SCORE_FOR_EXTRA_CREDIT ? 100 + sum(changes) : lost
  return {
    ...getGradeForScore(score),
    failed: results.filter(({ pass }) => !pass).map(({ result }) => result),
  }
}

function sum(numbers: number[]) {
  return numbers.reduce((total, one) => total + one, 0)
}
