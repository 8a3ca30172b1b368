import type { Test } from './test-results.ts'

type Proofs = {
  tests: Pick<Test, 'title' | 'isPassed'>[]
  /** Test files whose titles count without a run; empty if every test must have run. */
  sources: string[]
}

/** Clauses with a failed test, or without a passing one. */
export const findGaps = (clauses: string[], { tests, sources }: Proofs) =>
  clauses.filter((id) => {
    const ran = tests.filter(({ title }) => title.includes(`[${id}]`))
    if (ran.length > 0) return ran.some(({ isPassed }) => !isPassed)
    return !sources.some((source) => source.includes(`[${id}]`))
  })
