/** Spreadsheets read these as the start of a formula; a leading apostrophe makes the cell text. */
const FORMULA = /^[=+\-@\t\r]/

/** One row in RFC 4180 format. */
export const toCsv = (cells: (string | number | null)[]) => `${cells.map(toCell).join(',')}\r\n`

function toCell(value: string | number | null) {
  const text = String(value ?? '')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}
