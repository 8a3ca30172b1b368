import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slow test files, slowest first: one that starts last would leave the other cores idle. */
const LONG = [
  'mutate-time',
  'mutate-scope',
  'interleaving',
  'dead-letters',
  'leak',
  'notify',
  'send-mail',
  'undo-property',
  'fairness',
  'app',
  'web-build',
  'site',
  'readme',
]

/**
 * Vitest orders by its duration cache; CI has none and would order by file size. The rest by project: a worker that isn't
 * isolated serves only one.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    return sorted.toSorted(
      (one, other) =>
        rankOf(one.moduleId) - rankOf(other.moduleId) ||
        one.project.name.localeCompare(other.project.name),
    )
  }
}

function rankOf(path: string) {
  const index = LONG.findIndex((name) => path.endsWith(`/${name}.test.ts`))
  return index === -1 ? LONG.length : index
}
