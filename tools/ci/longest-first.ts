import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of half a minute and more, the longest first: begun last, one of them would keep a single core busy at the end. */
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
  'one-file',
  'readme',
]

/** CI has no memory of how long a file took; without one vitest goes by size. */
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
