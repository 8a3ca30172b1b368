import { dirname, posix } from 'node:path'
import { models } from '@gatehouse/model/models'
import {
  forbiddenFor,
  knowsNoModel,
  CONSENT,
  MUTATION_LAYER,
  PICTURE,
  roomsOf,
  WRITER,
  type Root,
} from './rooms.ts'

const LINES_MAX = 250

/** Files that hold only data. */
const DATA = [
  'model/src/models/iso-codes.ts',
  'tools/seed/clients.ts',
  'tools/seed/services.ts',
  'tools/seed/sample-tickets.ts',
]
/** Sources by path from the repository's root. */
export type Sources = Map<string, string>

/** Violations in these sources, one sentence each. */
export const findings = (sources: Sources) => [
  ...longFiles(sources),
  ...imports(sources).flatMap(wrongImport),
  ...importCycles(imports(sources)),
  ...namedModels(sources),
  ...wrongLayers(sources),
]

const isScript = (path: string) => /\.tsx?$/.test(path)
const isTest = (path: string) => /\.test(-d)?\.tsx?$|^(api|web)\/test\//.test(path)

const longFiles = (sources: Sources) =>
  [...sources]
    .filter(([path]) => !isTest(path) && !DATA.includes(path))
    .map(([path, text]) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LINES_MAX)
    .map(({ path, lines }) => `${path} has ${lines} lines, more than ${LINES_MAX}`)

type Import = { from: string; to: string }

/** Imports of the files in rooms, without tests: paths or package names. */
const imports = (sources: Sources) =>
  importsOf(sources, /(?:^|[\s;])(?:from|import)\s*\(?\s*'([^']+)'/gm).filter(
    ({ from }) => rootOf(from) && isScript(from) && !isTest(from),
  )

const importsOf = (sources: Sources, pattern: RegExp): Import[] =>
  [...sources].flatMap(([from, text]) =>
    [...text.matchAll(pattern)].map(([, specifier = '']) => ({
      from,
      to: resolve(from, specifier),
    })),
  )

function resolve(from: string, specifier: string) {
  if (specifier.startsWith('#')) return `${rootOf(from) ?? 'api/src'}/${specifier.slice(1)}`
  return specifier.startsWith('.') ? posix.join(dirname(from), specifier) : specifier
}

const rootOf = (path: string) =>
  (Object.keys(PICTURE) as Root[]).find((root) => path.startsWith(`${root}/`))

const moduleOf = (root: Root, path: string) => posix.relative(root, dirname(path)) || '.'

function wrongImport({ from, to }: Import) {
  const root = rootOf(from)
  if (!root) return []
  const room = moduleOf(root, from)
  if (!roomsOf(root).includes(room)) return [`${from} is in no room of tools/checks/rooms.ts`]
  if (to === '@gatehouse/model/models' && knowsNoModel(room)) return [`${from} imports the models`]
  if (to === WRITER && ![MUTATION_LAYER, CONSENT].includes(from))
    return [`${from} writes past data/mutate.ts`]
  const isWrong = rootOf(to) === root && forbiddenFor(root, room).includes(moduleOf(root, to))
  return isWrong ? [`${from} imports ${to} against the picture`] : []
}

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

/** Folders that import each other, directly or through others. */
function importCycles(all: Import[]) {
  const arrows = new Map<string, Set<string>>()
  for (const { from, to } of all.filter(({ to }) => /\.tsx?$/.test(to))) {
    const [start, end] = [dirname(from), dirname(to)]
    if (start !== end) arrows.set(start, (arrows.get(start) ?? new Set()).add(end))
  }
  return [...arrows.keys()]
    .filter((room) => follow(arrows, arrows.get(room) ?? []).has(room))
    .map((room) => `${room} is part of a circle of folders`)
}

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

/** Places in model-agnostic rooms that name a model: as a string, a key, an SQL table or a URL. */
const namedModels = (sources: Sources) =>
  [...sources]
    .filter(([path]) => isModelFree(path) && !isTest(path))
    .flatMap(([path, text]) => {
      const code = text.replaceAll(COMMENT, '')
      return NAMES.filter(({ pattern }) => pattern.test(code)).map(
        ({ name }) => `${path} names the model "${name}"`,
      )
    })

function isModelFree(path: string) {
  const root = rootOf(path)
  return root === 'api/src' && knowsNoModel(moduleOf(root, path))
}

const NAMES = models.map(({ path: name }) => ({
  name,
  pattern: new RegExp(
    String.raw`(['"\`])${name}\1|\b${name}:|\b(?:from|join|update|into)\s+${name}\b|/api/${name}\b`,
  ),
}))

/** Which cascade layer the rules of a folder stand in: docs/decisions/37-styles.md. */
const LAYERS: [RegExp, string[]][] = [
  [/^web\/src\/styles\//, ['bootstrap', 'base']],
  [/^web\/src\/(ui|forms|feedback|layout)\//, ['components']],
  [/^web\/src\/(public|portal|desk|records)\//, ['pages']],
]
/** What may stand outside a layer: it draws nothing, or belongs to no cascade. Whatever is inside something is indented. */
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
