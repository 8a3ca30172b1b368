/** A spreadsheet takes these for the beginning of a formula; an apostrophe makes it text. */
const FORMULA = /^[=+\-@\t\r]/

/** One row, as RFC 4180 has it. */
export const toCsv = (cells: (string | number | null)[]) => `${cells.map(toCell).join(',')}\r\n`

function toCell(value: string | number | null) {
  const text = String(value ?? '')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}
