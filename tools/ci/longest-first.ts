import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slow test files, slowest first: one that starts last would leave the other cores idle. */
const LONG = [
  'mutate-time',
  'mutate-scope',
  'interleaving',
  'dead-letters',
  'leak',
  'wake',
  'send-mail',
  'undo-property',
  'fairness',
  'app',
  'web-build',
  'site',
  'readme',
]

/** Vitest orders by its duration cache; CI has none and would order by file size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one.moduleId) - placeOf(other.moduleId))
  }
}

function placeOf(path: string) {
  const place = LONG.findIndex((name) => path.endsWith(`/${name}.test.ts`))
  return place === -1 ? LONG.length : place
}
