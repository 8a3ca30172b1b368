import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { CHECKOUT } from '../stack/settings.ts'

const WORKSPACES = ['model', 'api', 'web']
const COMMENTS = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm
const IMPORTS = /(?:^|[\s;])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/gm
const IS_TEST = /\.test(-d)?\.tsx?$/

/** Exported for our own packages alone. */
const BETWEEN_PACKAGES = ['./brand']

/** Modules of the product that a site may import: the exports of our packages. */
export const ENTRY_POINTS = WORKSPACES.flatMap(entryPointsOf)

function entryPointsOf(workspace: string) {
  const { name, exports } = JSON.parse(
    readFileSync(join(CHECKOUT, workspace, 'package.json'), 'utf8'),
  ) as { name: string; exports: Record<string, string> }
  return Object.keys(exports)
    .filter((path) => !BETWEEN_PACKAGES.includes(path))
    .map((path) => name + path.slice(1))
}

export function checkImports(site: string) {
  return sourcesIn(site).flatMap((file) =>
    importsOf(readFileSync(join(site, file), 'utf8'))
      .filter((specifier) => !isAllowed(site, file, specifier))
      .map(
        (specifier) =>
          `${join(site, file)} imports '${specifier}': ${advise(site, file, specifier)}`,
      ),
  )
}

const sourcesIn = (site: string) =>
  readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !IS_TEST.test(name) && !/\bnode_modules\//.test(name))
    .toSorted()

const importsOf = (text: string) =>
  [...text.replaceAll(COMMENTS, '').matchAll(IMPORTS)].map(([, specifier = '']) => specifier)

function isAllowed(site: string, file: string, specifier: string) {
  if (specifier.startsWith('.'))
    return !relative(site, target(site, file, specifier)).startsWith('..')
  return specifier.startsWith('node:') || ENTRY_POINTS.includes(specifier)
}

const target = (site: string, file: string, specifier: string) =>
  join(site, dirname(file), specifier)

function advise(site: string, file: string, specifier: string) {
  const workspace = workspaceOf(site, file, specifier)
  const doors = workspace ? entryPointsOf(workspace) : ENTRY_POINTS
  const why = workspace
    ? 'that is internal and may change with any release'
    : 'a site may import its own files, Node’s modules and the product’s entry points'
  return `${why}. Use ${doors.join(' or ')} instead.`
}

function workspaceOf(site: string, file: string, specifier: string) {
  const path = specifier.startsWith('.')
    ? relative(CHECKOUT, target(site, file, specifier))
    : specifier.replace('@gatehouse/', '')
  return WORKSPACES.find((workspace) => path.split('/')[0] === workspace)
}
