import { existsSync, readFileSync } from 'node:fs'

/** Results of the last `npm test` and `npm run e2e`. */
export const RESULTS = {
  unit: '.test/vitest.json',
  browser: ['.test/playwright.json', '.test/playwright-identity.json'],
}

/** A test that ran; its title includes those of its groups. Flaky: passed, but not at the first try. */
export type Test = { title: string; isPassed: boolean; isFlaky: boolean; ms: number }

export const readUnitTests = (): Test[] => {
  type Result = { fullName: string; status: string; duration?: number }
  type Report = { testResults: { assertionResults: Result[] }[] }
  const report = read<Report>(RESULTS.unit)
  return (report?.testResults ?? []).flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, duration = 0 }) => ({
        title: fullName,
        isPassed: status === 'passed',
        isFlaky: false,
        ms: duration,
      })),
  )
}

type Try = { duration: number; status: string }
type Spec = { title: string; ok: boolean; tests: { results: Try[] }[] }
type Suite = { title: string; suites?: Suite[]; specs?: Spec[] }
type Report = { suites: Suite[] }

const FAILED = new Set(['failed', 'timedOut', 'interrupted'])

export function readBrowserTests(): Test[] {
  const collect = ({ title, suites = [], specs = [] }: Suite): Test[] => [
    ...specs.map((spec) => {
      const tries = spec.tests.flatMap(({ results }) => results)
      return {
        title: `${title} ${spec.title}`,
        isPassed: spec.ok,
        isFlaky: spec.ok && tries.some(({ status }) => FAILED.has(status)),
        ms: Math.max(0, ...tries.map(({ duration }) => duration)),
      }
    }),
    ...suites.flatMap(collect),
  ]
  return readBrowserReports().flatMap(({ suites }) => suites.flatMap(collect))
}

const readBrowserReports = () => RESULTS.browser.flatMap((file) => read<Report>(file) ?? [])

function read<T>(file: string): T | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null
}
