import type { Model } from '@gatehouse/model'
import { models } from '../../api/src/installation.ts'

/** First segments of the models' pages, as a regular expression alternation. */
export const modelPaths = () => alternation(models)

/** The same of models with reading pages. */
export const readingPaths = (all: readonly Model[] = models) =>
  alternation(all.filter(({ pages }) => pages)) || NOTHING

/** A regular expression that matches nothing. */
const NOTHING = '(?!)'

const alternation = (all: readonly Model[]) =>
  [...new Set(all.flatMap(({ path, routeName }) => [path, routeName]))]
    .map((path) => path.toLowerCase())
    .join('|')
