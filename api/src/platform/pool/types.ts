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
  const [, local = '', sign, hours, minutes = 0, seconds = 0] = INSTANT.exec(text) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  const time = Date.parse(`${local.replace(' ', 'T')}Z`) - Number(`${sign}1`) * offset * 1000
  return new Date(time).toISOString()
}

const INSTANT = /^(.+)([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/
