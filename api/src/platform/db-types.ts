import pg from 'pg'

/** Timestamps as ISO text, dates as text, numbers as numbers. */
export function getTypeParser(oid: number): (text: string) => unknown {
  if (oid === pg.types.builtins.TIMESTAMPTZ) return toInstant
  if (oid === pg.types.builtins.DATE) return (text) => text
  if (oid === pg.types.builtins.NUMERIC || oid === pg.types.builtins.INT8) return Number
  return pg.types.getTypeParser(oid)
}

/**
 * `0001-01-01 00:00:00.5+00` → ISO. JavaScript would parse year 1 as 2001, and doesn't know offsets with seconds, which
 * PostgreSQL writes for local mean time.
 */
function toInstant(text: string) {
  if (isPlain(text))
    return `${text.slice(0, 10)}T${text.slice(11, 19)}${(text.slice(19, -3) || '.').padEnd(4, '0')}Z`
  const [, local = '', sign, hours, minutes = 0, seconds = 0] = INSTANT.exec(text) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  const time = Date.parse(`${local.replace(' ', 'T')}Z`) - Number(`${sign}1`) * offset * 1000
  return new Date(time).toISOString()
}

/** `2026-01-31 10:00:00.5+00`, as nearly all are: in UTC, with a year of four digits, no finer than a millisecond. */
const isPlain = (text: string) =>
  text.length <= PLAIN_LENGTH && text[4] === '-' && text.endsWith('+00')
const PLAIN_LENGTH = '2026-01-31 10:00:00.123+00'.length

const INSTANT = /^(.+)([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/
