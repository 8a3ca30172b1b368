import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Each process of a run writes `.test/<part>-<n>.json`; `n` differs between shards. */
const FOLDER = '.test'
const PARTS = ['unit', 'browser', 'outages', 'identity'] as const
export type Part = (typeof PARTS)[number]

/** A test that ran; its title includes those of its groups. Flaky: passed, but not at the first try. */
export type Test = { title: string; isPassed: boolean; isFlaky: boolean; ms: number }

export function readTests(parts: readonly Part[] = PARTS): Test[] {
  return filesOf(parts).flatMap((file) => {
    const report = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as
      UnitReport | BrowserReport
    return 'testResults' in report ? unitTests(report) : report.suites.flatMap(browserTests)
  })
}

export const missingParts = () => PARTS.filter((part) => filesOf([part]).length === 0)

const filesOf = (parts: readonly Part[]) =>
  existsSync(FOLDER)
    ? readdirSync(FOLDER).filter((file) =>
        parts.some((part) => new RegExp(String.raw`^${part}-\d+\.json$`).test(file)),
      )
    : []

/** The text of every test file: in a run that leaves suites out, a title need only exist. */
export const readTestSources = () =>
  globSync(['{api,model,web,tools,ops,bench}/**/*.test.{ts,tsx}', 'e2e/*.spec.ts'], {
    exclude: (path) => path.includes('node_modules'),
  }).map((file) => readFileSync(file, 'utf8'))

type UnitResult = { fullName: string; status: string; duration?: number }
type UnitFile = { name: string; status: string; assertionResults: UnitResult[] }
type UnitReport = { testResults: UnitFile[] }

export const unitTests = ({ testResults }: UnitReport): Test[] => testResults.flatMap(testsOfFile)

function testsOfFile({ name, status, assertionResults }: UnitFile): Test[] {
  const tests = assertionResults
    .filter((test) => test.status === 'passed' || test.status === 'failed')
    .map(({ fullName, status: result, duration = 0 }) => ({
      title: fullName,
      isPassed: result === 'passed',
      isFlaky: false,
      ms: duration,
    }))
  if (status !== 'failed' || tests.some(({ isPassed }) => !isPassed)) return tests
  // An import or a hook failed: no test of the file says so.
  const title = `${relative(process.cwd(), name)}, outside any test`
  return [...tests, { title, isPassed: false, isFlaky: false, ms: 0 }]
}

type Try = { duration: number; status: string }
type Spec = { title: string; ok: boolean; tests: { results: Try[] }[] }
type Suite = { title: string; suites?: Suite[]; specs?: Spec[] }
type BrowserReport = { suites: Suite[] }

const FAILED = new Set(['failed', 'timedOut', 'interrupted'])

const browserTests = ({ title, suites = [], specs = [] }: Suite): Test[] => [
  ...specs.map((spec) => {
    const tries = spec.tests.flatMap(({ results }) => results)
    return {
      title: `${title} ${spec.title}`,
      isPassed: spec.ok,
      isFlaky: spec.ok && tries.some(({ status }) => FAILED.has(status)),
      ms: Math.max(0, ...tries.map(({ duration }) => duration)),
    }
  }),
  ...suites.flatMap(browserTests),
]
