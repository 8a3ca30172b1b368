import { existsSync, readFileSync } from 'node:fs'

/** Results of the last `npm test` and `npm run e2e`. */
export const RESULTS = {
  unit: '.test/vitest.json',
  browser: ['.test/playwright.json', '.test/playwright-identity.json'],
}

/** A test that ran; its title includes those of its groups. */
export type Test = { title: string; isPassed: boolean; ms: number }

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
        ms: duration,
      })),
  )
}

type Spec = { title: string; ok: boolean; tests: { results: { duration: number }[] }[] }
type Suite = { title: string; suites?: Suite[]; specs?: Spec[] }
type Report = { suites: Suite[]; stats: { flaky: number } }

export function readBrowserTests(): Test[] {
  const collect = ({ title, suites = [], specs = [] }: Suite): Test[] => [
    ...specs.map((spec) => ({
      title: `${title} ${spec.title}`,
      isPassed: spec.ok,
      ms: Math.max(0, ...spec.tests.flatMap(({ results }) => results.map((one) => one.duration))),
    })),
    ...suites.flatMap(collect),
  ]
  return readBrowserReports().flatMap(({ suites }) => suites.flatMap(collect))
}

export const countFlaky = () =>
  readBrowserReports().reduce((sum, { stats }) => sum + stats.flaky, 0)

const readBrowserReports = () => RESULTS.browser.flatMap((file) => read<Report>(file) ?? [])

function read<T>(file: string): T | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null
}
