export const code = (value: unknown) => `\`${String(value)}\``

export const codes = (values: readonly unknown[]) => values.map(code).join(', ')

const escaped = (cell: string) => cell.replaceAll('|', String.raw`\|`)

/** Columns without any value are left out. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]) {
  const lines = [head, ...rows].map((row) => row.map(escaped))
  const columns = head
    .map((_, index) => lines.map((line) => line[index] ?? ''))
    .filter(([, ...cells]) => cells.some(Boolean))
  const widths = columns.map((cells) => Math.max(3, ...cells.map(({ length }) => length)))
  const lineOf = (cell: (column: number) => string) =>
    `| ${widths.map((width, column) => cell(column).padEnd(width)).join(' | ')} |`
  const [first, ...others] = lines.map((_, line) =>
    lineOf((column) => columns[column]?.[line] ?? ''),
  )
  return [first, lineOf((column) => '-'.repeat(widths[column] ?? 3)), ...others].join('\n')
}

export const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n')

/** "a, b and c". */
export const joinWords = (words: readonly string[], last = 'and') =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`

export const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Pages are written in prettier's format, which reference.test.ts checks: formatting them here would take half of the time. */
export const joinParts = (parts: readonly string[]) => `${parts.filter(Boolean).join('\n\n')}\n`
