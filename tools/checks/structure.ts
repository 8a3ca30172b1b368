import { dirname, posix } from 'node:path'
import { models } from '@gatehouse/model/models'

/** Sources by path from the repository's root. */
export type Sources = Map<string, string>

/** Violations in these sources, one sentence each. Import rules are in .dependency-cruiser.cjs. */
export const findings = (sources: Sources) => [...namedModels(sources), ...wrongLayers(sources)]

const isTest = (path: string) => /\.test(-d)?\.tsx?$|^(api|web)\/test\//.test(path)

const WORKSPACES = ['api/src', 'web/src', 'model/src']

type Import = { from: string; to: string }

const importsOf = (sources: Sources, pattern: RegExp): Import[] =>
  [...sources].flatMap(([from, text]) =>
    [...text.matchAll(pattern)].map(([, specifier = '']) => ({
      from,
      to: resolve(from, specifier),
    })),
  )

function resolve(from: string, specifier: string) {
  if (specifier.startsWith('#')) return `${workspaceOf(from) ?? 'api/src'}/${specifier.slice(1)}`
  return specifier.startsWith('.') ? posix.join(dirname(from), specifier) : specifier
}

const workspaceOf = (path: string) =>
  WORKSPACES.find((workspace) => path.startsWith(`${workspace}/`))

/** Files and packages reachable from these; dynamic and type-only imports are not followed. */
export function reachableFrom(sources: Sources, files: string[]) {
  const arrows = new Map<string, Set<string>>()
  for (const { from, to } of importsOf(
    sources,
    /^(?:import(?! type)|export)\b[^']*? from '([^']+)'/gm,
  ))
    arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
  return [...follow(arrows, files)]
}

function follow(arrows: Map<string, Set<string>>, from: Iterable<string>) {
  const seen = new Set<string>()
  const next = [...from]
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    if (seen.has(one)) continue
    seen.add(one)
    next.push(...(arrows.get(one) ?? []))
  }
  return seen
}

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

/** Names of models in modules that work on any model: as a string, a key, an SQL table or a URL. */
const namedModels = (sources: Sources) =>
  [...sources]
    .filter(([path]) => isModelFree(path) && !isTest(path))
    .flatMap(([path, text]) => {
      const code = text.replaceAll(COMMENT, '')
      return NAMES.filter(({ pattern }) => pattern.test(code)).map(
        ({ name }) => `${path} names the model "${name}"`,
      )
    })

const isModelFree = (path: string) => /^api\/src\/(engine|platform)\//.test(path)

const NAMES = models.map(({ path: name }) => ({
  name,
  pattern: new RegExp(
    String.raw`(['"\`])${name}\1|\b${name}:|\b(?:from|join|update|into)\s+${name}\b|/api/${name}\b`,
  ),
}))

/** Cascade layers of each folder's rules: docs/decisions/37-styles.md. */
const LAYERS: [RegExp, string[]][] = [
  [/^web\/src\/styles\//, ['bootstrap', 'base']],
  [/^web\/src\/(ui|forms|files|feedback|layout|palette)\//, ['components']],
  [/^web\/src\/(public|portal|reading|desk|records)\//, ['pages']],
]
/** Top-level lines allowed outside a layer: they style nothing, or don't cascade. Nested lines are indented. */
const WITHOUT_LAYER =
  /^(\/\/|@use |@import |@font-face \{$|@mixin |\$|[})]|@layer bootstrap, base, components, pages;$)/

const wrongLayers = (sources: Sources) =>
  [...sources]
    .filter(([path]) => path.endsWith('.scss'))
    .flatMap(([path, text]) => {
      const own = LAYERS.find(([folder]) => folder.test(path))?.[1] ?? []
      return text
        .split('\n')
        .filter((line) => /^\S/.test(line) && !WITHOUT_LAYER.test(line))
        .filter((line) => !own.some((layer) => line === `@layer ${layer} {`))
        .map((line) => `${path}: "${line}" stands in no layer of its folder`)
    })
