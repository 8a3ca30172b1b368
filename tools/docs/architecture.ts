import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PAGE, readPage } from './architecture-page.ts'
import { CHECKOUT } from '../stack/settings.ts'

/** `node tools/docs/architecture.ts` writes the picture of docs/architecture.md; `--check` fails if it is stale. */
const RULES = '.dependency-cruiser.cjs'

const PICTURE = /(<!-- picture: [^\n]+ -->\n)[\s\S]*?(<!-- end of picture -->)/
const TEST = /\.(test|spec)(-d)?\.tsx?$/
const BOXES_MAX = 25

type Box = { group: string; label: string; folders: string[]; files: string[] }
type Pattern = string | string[]
type Rule = {
  from: { path?: Pattern; pathNot?: Pattern; orphan?: boolean }
  to: {
    path?: Pattern
    pathNot?: Pattern
    circular?: boolean
    couldNotResolve?: boolean
    dependencyTypes?: string[]
    dependencyTypesNot?: string[]
  }
}

/** The first match counts. Its folders are one box, or one for each value of the pattern's group. */
const BOXES: [group: string, folder: RegExp, label?: string][] = [
  ['site', /^(?:sample|site|ops\/drills\/upgrade\/site)\b/, 'sample, site'],
  ['api/src', /^api\/src$/, 'wiring files'],
  ['api/src', /^api\/src\/(mail)$/],
  ['api/src', /^api\/src\/(?:engine\/http|privacy\/notice)$/],
  ['api/src', /^api\/src\/engine\/(?:query|files)$/],
  ['api/src', /^api\/src\/(engine\b.*)$/],
  ['api/src', /^api\/src\/(platform)\b/],
  ['api/src', /^api\/src\//],
  ['web/src', /^web\/src$/, 'wiring files'],
  ['web/src', /^web\/src\/(?:public|reading|portal|desk|auth\/pages|records)\b/],
  ['web/src', /^web\/src\/(?:feedback|auth)$/],
  ['web/src', /^web\/src\/(?:ui|messages|base)\b/],
  ['web/src', /^web\/src\/(?:forms|files)\b/],
  ['web/src', /^web\/src\/([^/]+)/],
  ['model/src', /^model\/src\/(models)/],
  ['model/src', /^model\/src\b/, 'definition, checks, wire, privacy, site'],
  ['around', /^/, 'tools, ops, bench, e2e, test kits'],
]

if (import.meta.main) {
  const page = readPage()
  const drawn = withPicture(page)
  if (!process.argv.includes('--check')) writeFileSync(join(CHECKOUT, PAGE), drawn)
  else if (drawn !== page) {
    console.error(
      `The picture in ${PAGE} differs from ${RULES}: run node tools/docs/architecture.ts`,
    )
    process.exitCode = 1
  }
}

function withPicture(page: string) {
  if (!PICTURE.test(page)) throw new Error(`${PAGE} has no markers for the picture`)
  const block = ['```mermaid', ...pictureLines(readBoxes()), '```'].join('\n')
  return page.replace(PICTURE, (_, start: string, end: string) => `${start}\n${block}\n\n${end}`)
}

function readBoxes(): Box[] {
  const boxes = new Map<string, Box>()
  for (const file of sourceFiles()) {
    const folder = dirname(file)
    const index = BOXES.findIndex(([, pattern]) => pattern.test(folder))
    const [group = '', pattern = /^/, label = ''] = BOXES[index] ?? []
    const key = `${index} ${pattern.exec(folder)?.[1] ?? ''}`
    const box = boxes.get(key) ?? { group, label, folders: [], files: [] }
    boxes.set(key, box)
    box.files.push(file)
    if (!box.folders.includes(folder)) box.folders.push(folder)
  }
  if (boxes.size > BOXES_MAX) throw new Error(`${boxes.size} boxes, at most ${BOXES_MAX}`)
  return [...boxes.values()].map((box) => ({ ...box, label: box.label || labelOf(box) }))
}

function sourceFiles() {
  const args = ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.tsx']
  return execFileSync('git', args, { cwd: CHECKOUT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file.includes('/') && !TEST.test(file))
    .toSorted()
}

/** The folders without those inside another one. */
function labelOf({ group, folders }: Box) {
  return folders
    .filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
    .map((folder) => folder.slice(group.length + 1))
    .join(', ')
}

function pictureLines(boxes: Box[]) {
  const rules = readRules()
  const allowed = new Map(
    boxes.map((from) => [
      from,
      new Map(boxes.map((to) => [to, from === to ? null : allowedImport(rules, from, to)])),
    ]),
  )
  const kind = (from: Box, to: Box) => allowed.get(from)?.get(to) ?? null
  const isFull = (from: Box, to: Box) => kind(from, to) === ''
  const below = (from: Box) => boxes.filter((to) => isFull(from, to))
  for (const top of boxes)
    for (const middle of below(top))
      for (const bottom of below(middle))
        if (!isFull(top, bottom))
          throw new Error(`"${top.label}" imports "${middle.label}", not "${bottom.label}"`)
  const arrows = boxes.flatMap((from) =>
    boxes
      .filter((to) => kind(from, to) !== null)
      .filter((to) => !below(from).some((other) => kind(other, to) === kind(from, to)))
      .map((to) => ({ from, to, text: kind(from, to) })),
  )
  const name = ({ group, label }: Box) => `${toId(group)}_${toId(label)}`
  const node = (box: Box) => `${name(box)}["${box.label}"]`
  return [
    'flowchart TB',
    ...[...new Set(boxes.map(({ group }) => group))].flatMap((group) => {
      const own = boxes
        .filter((box) => box.group === group)
        .toSorted((a, b) => below(b).length - below(a).length)
      if (own.length === 1) return own.map((box) => `  ${node(box)}`)
      return [
        `  subgraph ${toId(group)} ["${group}"]`,
        ...own.map((box) => `    ${node(box)}`),
        '  end',
      ]
    }),
    ...arrows.map(({ from, to, text }) =>
      text ? `  ${name(from)} -. "${text}" .-> ${name(to)}` : `  ${name(from)} --> ${name(to)}`,
    ),
  ]
}

/** The first name in a label or path. */
function toId(text: string) {
  return text.replace(/\/src$|,.*/g, '').replaceAll(/\W+/g, '_')
}

type Matcher = (path: string) => boolean
type ImportRule = { from: Matcher; to: Matcher; allowsTypes: boolean }

/** Those of dependency-cruiser's rules that depend on the paths of importer and imported file alone. */
function readRules(): ImportRule[] {
  const { forbidden } = createRequire(import.meta.url)(join(CHECKOUT, RULES)) as {
    forbidden: Rule[]
  }
  return forbidden
    .filter(({ from, to }) => !from.orphan && !to.circular && !to.dependencyTypes)
    .filter(({ to }) => to.path ?? to.pathNot)
    .map(({ from, to }) => ({
      from: matcher(from),
      to: matcher(to),
      allowsTypes: to.dependencyTypesNot?.includes('type-only') ?? false,
    }))
}

function matcher({ path, pathNot }: { path?: Pattern; pathNot?: Pattern }): Matcher {
  const [wanted, unwanted] = [path ?? '', pathNot ?? []].map((patterns) =>
    [patterns].flat().map((pattern) => new RegExp(pattern)),
  )
  return (file) =>
    Boolean(wanted?.some((one) => one.test(file)) && !unwanted?.some((one) => one.test(file)))
}

/** Text of the arrow, empty if every folder may import most files; null if the import is forbidden. */
function allowedImport(rules: ImportRule[], from: Box, to: Box) {
  const byFolder = from.folders.map((folder) => {
    const own = rules.filter((rule) => rule.from(`${folder}/x.ts`))
    const importable = to.files.filter(
      (file) => !own.some((rule) => rule.to(file) && !rule.allowsTypes),
    )
    return { importable, isTypes: importable.some((file) => own.some((rule) => rule.to(file))) }
  })
  const [first] = byFolder
  const isMost = byFolder.every(({ importable }) => importable.length * 2 > to.files.length)
  if (isMost) return byFolder.some(({ isTypes }) => isTypes) ? 'types only' : ''
  const isEntry = from.group === 'site' && first !== undefined && first.importable.length > 0
  return isEntry ? first.importable.map((file) => file.slice(to.group.length + 1)).join(', ') : null
}
