import { models } from '../../api/src/installation.ts'

/** Every address a model's pages have, as one alternative of a regular expression. */
export const modelPaths = () =>
  [...new Set(models.flatMap(({ path, routeName }) => [path, routeName]))]
    .map((path) => path.toLowerCase())
    .join('|')
