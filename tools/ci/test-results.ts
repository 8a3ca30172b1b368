import { existsSync, readFileSync } from 'node:fs'

/** What ran last: `npm test` and `npm run e2e` leave these. */
export const RESULTS = { unit: '.test/vitest.json', browser: '.test/playwright.json' }

/** A test that ran, with the titles of the groups it stands in. */
export type Test = { title: string; isPassed: boolean }

export const readUnitTests = (): Test[] => {
  type Report = { testResults: { assertionResults: { fullName: string; status: string }[] }[] }
  const report = read<Report>(RESULTS.unit)
  return (report?.testResults ?? []).flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status }) => ({ title: fullName, isPassed: status === 'passed' })),
  )
}

type Suite = { title: string; suites?: Suite[]; specs?: { title: string; ok: boolean }[] }

export function readBrowserTests(): Test[] {
  const collect = ({ title, suites = [], specs = [] }: Suite): Test[] => [
    ...specs.map((spec) => ({ title: `${title} ${spec.title}`, isPassed: spec.ok })),
    ...suites.flatMap(collect),
  ]
  return (read<{ suites: Suite[] }>(RESULTS.browser)?.suites ?? []).flatMap(collect)
}

function read<T>(file: string): T | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null
}
