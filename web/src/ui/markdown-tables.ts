import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { ExtraProps } from 'react-markdown'
import { markdownMessages } from '#messages/markdown.ts'

/** A wider table stays text: rows with missing cells are filled up, so that 2,000 columns in 16 kB became 5 MB. */
const MAX_COLUMNS = 20
/** Separators in the head and the line below it, which are read at once; a longer row ends the table. */
const MAX_DIVIDERS = 2 * (MAX_COLUMNS + 1)
/** Cells of all tables in a text; the rows after that stay text. */
const MAX_CELLS = 4_000
const ALIGNMENTS = { center: 'text-center', right: 'text-end' }

type Element = NonNullable<ExtraProps['node']>
type Child = Element['children'][number]
type Parent = { children: (Child | { type: 'doctype' })[] }
type ParserData = { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] }

/** Remark plugin. */
export function parseTables(this: { data: () => object }) {
  const data: ParserData = this.data()
  ;(data.micromarkExtensions ??= []).push(limitedTable())
  ;(data.fromMarkdownExtensions ??= []).push(gfmTableFromMarkdown())
}

type Table = Exclude<NonNullable<ReturnType<typeof gfmTable>['flow']>[string], unknown[]>
type Tokenize = NonNullable<Table>['tokenize']

/** The limits apply to the line just read: the costs arise later, in cells and elements. */
function limitedTable(): ReturnType<typeof gfmTable> {
  const table = [gfmTable().flow?.['null']].flat()[0]
  if (!table) throw new Error('micromark-extension-gfm-table has no construct for tables')
  let columns = 0
  let cells = 0
  const tokenize: Tokenize = function (effects, ok, nok) {
    let head = 0
    let dividers = 0
    const enter: typeof effects.enter = (type, fields) => {
      if (type === 'tableDelimiterFiller') head += 1
      if (type === 'tableCellDivider') dividers += 1
      return effects.enter(type, fields)
    }
    return table.tokenize.call(
      this,
      { ...effects, enter },
      (code) => {
        if (head > 0) columns = head
        const isWide = columns > MAX_COLUMNS || dividers > MAX_DIVIDERS
        if (isWide || cells + columns > MAX_CELLS) return nok(code)
        cells += columns
        return ok(code)
      },
      nok,
    )
  }
  return { flow: { null: { ...table, tokenize } } }
}

/** Rehype plugin: each table scrolls in its own box; alignment by class, since the policy rejects style attributes. */
export const frameTables = () => (tree: Parent) => {
  let count = 0
  const frame = (parent: Parent) => {
    parent.children = parent.children.map((child) => {
      if (child.type !== 'element') return child
      alignCell(child)
      frame(child)
      return child.tagName === 'table' ? frameOf(child, ++count) : child
    })
  }
  frame(tree)
}

function alignCell(cell: Element) {
  const { tagName, properties, children } = cell
  // A header without words names no column.
  if (tagName === 'th' && children.length === 0) cell.tagName = 'td'
  else if (tagName === 'th') properties['scope'] = 'col'
  const alignment = ALIGNMENTS[properties['align'] as keyof typeof ALIGNMENTS]
  delete properties['align']
  if (alignment) properties['className'] = [alignment]
}

const frameOf = (table: Element, number: number): Element => ({
  type: 'element',
  tagName: 'section',
  properties: {
    className: ['md-table'],
    ariaLabel: markdownMessages.table(number),
    // Scrollable, so focusable.
    tabIndex: 0,
  },
  children: [table],
})
