import { models } from '../../api/src/installation.ts'

/** First segments of the models' pages, as a regular expression alternation. */
export const modelPaths = () =>
  [...new Set(models.flatMap(({ path, routeName }) => [path, routeName]))]
    .map((path) => path.toLowerCase())
    .join('|')
