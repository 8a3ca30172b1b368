import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { CHECKOUT } from '../stack/settings.ts'

const WORKSPACES = ['model', 'api', 'web']
const COMMENTS = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm
const IMPORTS = /(?:^|[\s;])(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/gm
export const IS_TEST = /\.test(-d)?\.tsx?$/

/** Exported for our own packages alone. */
const BETWEEN_PACKAGES = ['./brand']
const TEST_KIT = '@gatehouse/api/testing'

/** Modules of the product that a site may import: the exports of our packages. The kit is for its tests alone. */
export const ENTRY_POINTS = WORKSPACES.flatMap(entryPointsOf)

function entryPointsOf(workspace: string) {
  const { name, exports } = JSON.parse(
    readFileSync(join(CHECKOUT, workspace, 'package.json'), 'utf8'),
  ) as { name: string; exports: Record<string, string> }
  return Object.keys(exports)
    .filter((path) => !BETWEEN_PACKAGES.includes(path))
    .map((path) => name + path.slice(1))
    .filter((path) => path !== TEST_KIT)
}

export function checkImports(site: string) {
  return sourcesIn(site).flatMap((file) =>
    importsOf(readFileSync(join(site, file), 'utf8'))
      .filter(({ specifier }) => !isAllowed(site, file, specifier))
      .map(
        ({ specifier, line }) =>
          `${fromCheckout(join(site, file))}:${line}: imports '${specifier}': ${advise(site, file, specifier)}`,
      ),
  )
}

/** As an editor's terminal opens it. */
export const fromCheckout = (file: string) => {
  const path = relative(CHECKOUT, file)
  return path.startsWith('..') ? file : path
}

export const sourcesIn = (site: string) =>
  readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\bnode_modules\//.test(name))
    .toSorted()

function importsOf(text: string) {
  const code = text.replaceAll(COMMENTS, (comment) => comment.replaceAll(/[^\n]/g, ' '))
  return [...code.matchAll(IMPORTS)].map(([whole, specifier = ''], index, all) => ({
    specifier,
    line: code.slice(0, (all[index]?.index ?? 0) + whole.length).split('\n').length,
  }))
}

function isAllowed(site: string, file: string, specifier: string) {
  const isTest = IS_TEST.test(file)
  if (specifier.startsWith('.'))
    return !relative(site, target(site, file, specifier)).startsWith('..')
  if (specifier === TEST_KIT) return isTest
  // A test may use packages of its own, but no internals of ours.
  return (
    specifier.startsWith('node:') ||
    ENTRY_POINTS.includes(specifier) ||
    (isTest && !/^(#|@gatehouse\/)/.test(specifier))
  )
}

const target = (site: string, file: string, specifier: string) =>
  join(site, dirname(file), specifier)

function advise(site: string, file: string, specifier: string) {
  if (specifier === TEST_KIT) return 'that is for *.test.ts alone.'
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
