// @vitest-environment node
import { prerender } from 'react-dom/static'
import { describe, expect, test } from 'vitest'
import { FIELD_TYPES } from '@gatehouse/model'
import { toDocument } from '../document.ts'
import { Markdown } from './markdown.tsx'

const MAX: number = FIELD_TYPES.markdown.text.maxLength
const MAX_MS = 1_000

const assets = {
  template:
    '<!doctype html><html lang="en"><head><title>x</title></head><body><div id="root"></div></body></html>',
  font: '/static/font.woff2',
  brand: null,
  app: { scripts: [], styles: [] },
  scripts: {},
  styles: {},
}

const html = async (text: string) => {
  const { prelude } = await prerender(<Markdown text={text} />)
  return new Response(prelude).text()
}

/** Milliseconds; other tests run at the same time. */
async function fastestOfThree(text: string) {
  let fastest = Infinity
  for (let run = 0; run < 3 && fastest >= MAX_MS; run++) {
    // The thread's own time: other programs of a busy machine don't count.
    const before = process.threadCpuUsage()
    await html(text)
    const { user, system } = process.threadCpuUsage(before)
    fastest = Math.min(fastest, (user + system) / 1_000)
  }
  return fastest
}

/** Repeated up to the field's maximum length. */
const fill = (unit: string, length = MAX) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
const lines = (line: (index: number) => string) => {
  let text = ''
  for (let index = 0; text.length < MAX; index++) text += `${line(index)}\n`
  return text.slice(0, MAX)
}
const table = (columns: number, body: string) =>
  `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${body}`.slice(0, MAX)

const TEXTS: Record<string, string> = {
  'aligned columns': '|a|b|c|\n|:-|:-:|-:|\n|1|2|3|',
  'a table without outer pipes': 'a | b\n- | -\n1 | 2',
  'a table of 20 columns': table(20, fill('|b', 40)),
  'a table of 21 columns': table(21, fill('|b', 42)),
  'a table of 2,000 columns': table(2_000, fill('|b', 4_000)),
  'a table of 2,000 columns with short rows': table(2_000, fill('|\n')),
  'aligned 2,000 columns': `${'|a'.repeat(2_000)}|\n${'|:-:'.repeat(2_000)}|\n|b|`,
  'a table of 20 columns with short rows': table(20, fill('|\n', 5_000)),
  'a table of full rows': table(20, fill(`${'|b'.repeat(20)}|\n`)),
  'a table with a row of 20,000 cells': table(2, fill('|b')),
  'many small tables': fill('a|b\n-|-\n\n', 12_000),
  'many tables of 20 columns': fill(table(20, '\n')),
  'tables in quotes': lines(() => '> a|b\n> -|-\n> c'),
  'a table with raw HTML': '|a|\n|-|\n|<td style="color:red" onclick="x()">b</td>|',
  'a table with a javascript: link': '|a|\n|-|\n|[b](javascript:alert(1))|',
  'table cells of code marks': table(2, fill('`|')),
  'table cells of brackets': table(2, fill('[|')),
  'a long delimiter row': `a|b\n${fill('-', 40_000)}|-`,
  'raw script': '<script>alert(1)</script>',
  'raw style': '<style>*{display:none}</style><p style="color:red">a</p>',
  'raw handlers': '<img src=x onerror=alert(1)><b onload="x()">a</b>',
  'raw frame': '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  'a raw form': '<form action="https://example.org"><input name="password"></form>',
  'a javascript: link':
    '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](java&#10;script:alert(1))',
  'a data: link': '[a](data:text/html,<script>alert(1)</script>)',
  'a vbscript: link': '[a](vbscript:x) <vbscript:x> <javascript:alert(1)>',
  'a javascript: definition': '[a]\n\n[a]: javascript:alert(1) "style=x"',
  'a javascript: picture': '![a](javascript:alert(1)) ![b](data:image/svg+xml,<svg onload=x>)',
  'quotes in a title': '[a](b "c\\" onclick=\\"x")',
  'deep quotes': fill('>'),
  'deep quotes with spaces': fill('> '),
  'quotes 500 deep': `${'>'.repeat(500)} a`,
  'quotes that get deeper': lines((index) => `${'>'.repeat(index + 1)}a`),
  'deep lists by indentation': lines((index) => `${' '.repeat(index * 2)}- a`),
  'deep lists in a line': fill('+ '),
  'deep numbered lists in a line': fill('1. '),
  'quotes in lists in quotes': fill('> - '),
  'unmarked lines after a deep quote': `${'>'.repeat(10)}a\n${fill('a\n', 5_900)}`,
  'many list items': fill('- a\n'),
  'many empty list items': fill('-\n'),
  'many numbered items': lines((index) => `${index}. a`),
  'many short quotes': fill('> a\n\n'),
  'many underlined headings': fill('a\n=\n'),
  'many headings': fill('# a\n'),
  'many rules': fill('---\n'),
  'many paragraphs': fill('a\n\n'),
  'many line breaks': fill('a  \n'),
  'opened emphasis': fill('*a **b '),
  'mixed emphasis': fill('*a_b'),
  'nested emphasis': `${fill('*', 25_000)}a${fill('*', 24_999)}`,
  'emphasis nested within the limit': `${'*a **a '.repeat(500)}${'b** b* '.repeat(500)}`,
  'opened brackets': fill('['),
  'nested brackets': `${fill('[', 25_000)}${fill(']', 25_000)}`,
  'opened links': fill('[a]('),
  'a long address referred to often': `[a]: ${fill('x', 20_000)}\n\n${'[a] '.repeat(1_900)}`,
  'many definitions': lines((index) => `[a${index}]: b`),
  'opened comments': fill('a <!--'),
  'comments within the limit': `${'a <!-- '.repeat(50)}${fill('a ', 49_000)}`,
  'code marks of every length': lines((index) => '`'.repeat(index + 1)).replaceAll('\n', ' '),
  'raw tags': fill('<b>'),
  'only pipes': fill('|'),
  // Just within a limit of markdown-limits.ts, and as long as a text may be.
  'list items within the limit': fill(`- ${'word '.repeat(7)}\n`, 1_300 * 38),
  'quoted lines within the limit': fill(`> ${'word '.repeat(7)}\n`, 1_300 * 38),
  'lines within the limit': fill(`${'a '.repeat(8)}\n`),
  'brackets nested around many words': `${'['.repeat(1_990)}${fill('a ', 46_000)}${']'.repeat(1_990)}`,
}

describe('markdown', () => {
  test('there are at least 60 texts', () => {
    expect(Object.keys(TEXTS).length).toBeGreaterThanOrEqual(60)
  })

  test.each(Object.entries(TEXTS))(
    'a page is written within a second, without styles, scripts and handlers, for %s',
    async (_name, text) => {
      expect(text.length).toBeLessThanOrEqual(MAX)
      const found = await html(text)
      expect(await fastestOfThree(text)).toBeLessThan(MAX_MS)
      expect(found.length).toBeLessThan(20 * MAX)
      const tags = found.match(/<[a-z][^>]*>/g)?.join('\n') ?? ''
      expect(tags.replaceAll(/="[^"]*"/g, '=')).not.toMatch(
        /<(script|style|iframe|form|img)|\s(style|on\w+|align)=/,
      )
      expect(tags).not.toMatch(/(href|src)="(?!https?:|mailto:|[^":]*")/i)
      const head = { title: 'x', description: 'x', canonical: null }
      expect(toDocument(assets, { head, html: found, data: null, templates: '' })).toContain(found)
    },
  )

  test('a table scrolls in a focusable box, and its columns are aligned by class', async () => {
    expect(await html('|a|b|c|\n|:-|:-:|-:|\n|1|2|3|')).toMatchInlineSnapshot(
      `"<section class="md-table" aria-label="Table 1" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col" class="text-center">b</th><th scope="col" class="text-end">c</th></tr></thead><tbody><tr><td>1</td><td class="text-center">2</td><td class="text-end">3</td></tr></tbody></table></section>"`,
    )
  })

  test('several tables of a text have different names', async () => {
    const found = await html('|a|\n|-|\n\n|b|\n|-|')
    expect(found.match(/aria-label="[^"]*"/g)).toEqual([
      'aria-label="Table 1"',
      'aria-label="Table 2"',
    ])
  })

  test.each([
    [20, true],
    [21, false],
  ])('a table of %i columns is a table: %s', async (columns, isTable) => {
    expect((await html(table(columns, '|b|'))).includes('<table>')).toBe(isTable)
  })

  test('rows after 4,000 cells stay text', async () => {
    const found = await html(table(20, '|b|\n'.repeat(300)))
    expect(found.match(/<t[hd][ >]/g)).toHaveLength(4_000)
    expect(found).toMatch(/<\/table><\/section>\s*<p>\|b\|/)
  })

  test.each(['deep lists in a line', 'many underlined headings'])(
    'a text that is too expensive is shown as written: %s',
    async (name) => {
      const text = TEXTS[name] ?? ''
      expect(await html(text)).toBe(`<p class="md-source">${text}</p>`)
    },
  )

  test('a long ordinary text is formatted', async () => {
    const section =
      '## A *title*\n\nSome **bold** words, a [link](https://example.org) and `code_like_this`.\n\n- one\n- two\n  - three\n\n> A quote\n> of two lines\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n'
    const found = await html(fill(section))
    expect(found.match(/<h2>/g)?.length).toBeGreaterThan(200)
    expect(found.match(/<table>/g)?.length).toBeGreaterThan(200)
  })
})
