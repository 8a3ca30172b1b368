import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

// External links are not followed: the checks have no network.
const ROOT = resolve(import.meta.dirname, '../..')
const OPERATING = 'docs/operating.md'
/** Commands whose first argument names a drill, a benchmark and so on. */
const RUNNERS = new Map([
  ['drill', 'ops/drills/run.ts'],
  ['bench', 'bench/run.ts'],
])
const FILES = git('ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md')
  .split('\n')
  .filter((file) => /^(README|CONTRIBUTING|SECURITY|CHANGELOG|docs\/.+)\.md$/.test(file))
  .filter((file) => existsSync(join(ROOT, file)))

test('the document checks find the documents', () => {
  expect(FILES).toEqual(
    expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']),
  )
  expect(FILES.filter((file) => file.startsWith('docs/decisions/')).length).toBeGreaterThan(20)
})

test.each(FILES)('every link and picture in %s resolves', (file) => {
  expect(linksIn(read(file)).flatMap((link) => complaintOf(file, link))).toEqual([])
})

test.each(FILES)('every command in %s exists', (file) => {
  const missing = commandsIn(read(file)).filter(({ name, from }) => !namesIn(from).includes(name))
  expect(missing.map(({ name, from }) => `${name} is not in ${from}`)).toEqual([])
})

test(`every setting named in ${OPERATING} exists in the sources`, () => {
  const known = new Set(
    git('grep', '--untracked', '-ohwIE', SETTING.source, '--', '.', ':!*.md', ':!*.test.ts').split(
      '\n',
    ),
  )
  const named = codeIn(read(OPERATING)).flatMap((code) => code.match(SETTING) ?? [])
  expect(named).toContain('BACKUP_STATUS_FILE')
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test(`${OPERATING} says what to do about each alert of ops/alerts.yml`, () => {
  const rules = [...read('ops/alerts.yml').matchAll(/- alert: (\w+)/g)].map(
    (match) => match[1] ?? '',
  )
  const watch = read(OPERATING).split('\n## Monitoring\n')[1]?.split('\n## ')[0] ?? ''
  const told = [...watch.matchAll(/^\| `(\w+)`/gm)].map((match) => match[1] ?? '')
  expect(told.toSorted()).toEqual(rules.toSorted())
})

test('the README’s comparison table agrees with docs/spec/comparison.md', () => {
  const [columns = [], ...claims] = tableOf(read('docs/spec/comparison.md'))
  const [shown = [], ...rows] = tableOf(read('README.md').split('\n### How it compares\n')[1] ?? '')
  expect(rows.length).toBeGreaterThan(5)
  for (const [feature, ...cells] of rows) {
    const claim = claims.find((cellsOf) => cellsOf[1] === feature) ?? []
    const told = shown.slice(1).map((peer) => claim[columns.indexOf(peer)]?.split(' ')[0])
    expect(cells, feature).toEqual(told)
  }
})

test('links are found in every notation, except in code', () => {
  const text = [
    '[a](one.md#part) ![b](two.png "title") [c]: three.md',
    '[d]: four.md',
    '<source srcset="five.png"> <img src="six.png">',
    '`[e](no.md)`',
    '```md\n[f](no.md)\n```',
    '[g](https://example.test/x) [h](mailto:x@example.test)',
  ].join('\n')
  expect(linksIn(text)).toEqual(['one.md#part', 'two.png', 'four.md', 'five.png', 'six.png'])
})

test('a link to a missing file, a missing heading or outside the project is reported', () => {
  expect(complaintOf('docs/x.md', '../README.md#add-a-model')).toEqual([])
  expect(complaintOf('docs/x.md', 'README.md')).toEqual(['README.md: no such file'])
  expect(complaintOf('README.md', '../README.md')).toEqual(['../README.md: not in the project'])
  expect(complaintOf('README.md', '#nowhere')).toEqual(['#nowhere: no such heading'])
})

test('headings get GitHub’s anchors', () => {
  expect(anchorsIn('# `npm run` – what, and why?\n## Twice\n## Twice\n```sh\n# no\n```')).toEqual([
    'npm-run--what-and-why',
    'twice',
    'twice-1',
  ])
})

test('commands are found across line breaks, inside and outside code', () => {
  const text =
    'npm run\nnotice:write -- --date x\n`npm run drill -- api-kill`, npm run build -w web'
  expect(commandsIn(text)).toEqual([
    { name: 'notice:write', from: 'package.json' },
    { name: 'drill', from: 'package.json' },
    { name: 'api-kill', from: 'ops/drills/run.ts' },
    { name: 'build', from: 'web/package.json' },
  ])
})

/** Capitals with at least one underscore, such as `BACKUP_STATUS_FILE`. */
const SETTING = /[A-Z][A-Z0-9]*(_[A-Z0-9]+)+/g

function linksIn(text: string) {
  const found = withoutCode(text).matchAll(
    /\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]:\s*(\S+)|\b(?:src|srcset|href)="([^"]+)"/gm,
  )
  return [...found]
    .map(([, inline, reference, attribute]) => inline ?? reference ?? attribute ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
}

function complaintOf(file: string, link: string) {
  const [path = '', anchor] = link.split('#')
  const target = path ? join(dirname(file), path) : file
  if (relative(ROOT, resolve(ROOT, target)).startsWith('..')) return [`${link}: not in the project`]
  if (!existsSync(join(ROOT, target))) return [`${link}: no such file`]
  if (anchor === undefined || anchorsIn(read(target)).includes(anchor)) return []
  return [`${link}: no such heading`]
}

function anchorsIn(text: string) {
  const seen = new Map<string, number>()
  return [...withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    const anchor = words.trim().replaceAll(/\s/g, '-')
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  })
}

function tableOf(text: string) {
  const [table = ''] = /(^\|.*\n)+/m.exec(text) ?? []
  return table
    .trim()
    .split('\n')
    .filter((line) => !/^\|[\s|:-]+$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

function commandsIn(text: string) {
  const found = text.matchAll(
    /npm run\s+(?:--silent\s+)?([a-z][\w:-]*)(?:\s+-w\s+(\w+))?(?:\s+--\s+([a-z][\w-]*))?/g,
  )
  return [...found].flatMap(([, name = '', workspace, argument]) => {
    const runner = RUNNERS.get(name)
    return [
      { name, from: join(workspace ?? '', 'package.json') },
      ...(runner && argument ? [{ name: argument, from: runner }] : []),
    ]
  })
}

/** Scripts of a package.json, or the names a runner accepts. */
function namesIn(file: string) {
  if (file.endsWith('.json')) return Object.keys(JSON.parse(read(file)).scripts)
  const keys = read(file).matchAll(/^ {2}'?([a-z][\w-]*)'?: (?:async )?\(\) =>/gm)
  return [...keys].map((match) => match[1] ?? '')
}

const BLOCK = /^```.*\n[\s\S]*?^```$/gm
const withoutBlocks = (text: string) => text.replaceAll(BLOCK, '')
const withoutCode = (text: string) => withoutBlocks(text).replaceAll(/`[^`]*`/g, '')
const codeIn = (text: string) => [
  ...(text.match(BLOCK) ?? []),
  ...(withoutBlocks(text).match(/`[^`]*`/g) ?? []),
]

function read(file: string) {
  return readFileSync(join(ROOT, file), 'utf8')
}

function git(...args: string[]) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 })
}
