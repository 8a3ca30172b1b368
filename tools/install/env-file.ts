/** The file .env as Docker Compose reads it (compose-go's dotenv): `A=b # comment`, `A='b'`, `A="b"`. */
export type EnvValues = Record<string, string>

const PLAIN = /^[\w@%+=:,./-]*$/
const LINE = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*[=:]\s*(.*)$/
const SINGLE = /^'((?:[^'\\]|\\.)*)'/
const DOUBLE = /^"((?:[^"\\]|\\.)*)"/

/** The last line of a name counts, as for Compose. Variables in a value are not resolved. */
export function parseEnv(text: string): EnvValues {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name = '', value = ''] = LINE.exec(line) ?? []
      return name ? [[name, unquote(value)]] : []
    }),
  )
}

/** Sets values in the text: their lines are replaced or added at its end, all others stay as they are. */
export function setEnv(text: string, values: EnvValues) {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const names = new Set<string>()
  const kept = lines.map((line) => {
    const [, name = ''] = LINE.exec(line) ?? []
    const value = values[name]
    if (value === undefined) return line
    names.add(name)
    return lineOf(name, value)
  })
  const added = Object.entries(values)
    .filter(([name]) => !names.has(name))
    .map(([name, value]) => lineOf(name, value))
  return `${[...kept, ...added].join('\n')}\n`
}

const lineOf = (name: string, value: string) => `${name}=${quote(value)}`

/** As systemd reads it too. Single quotes keep `$`, but have no way to write a quote. */
export function quote(value: string) {
  if (PLAIN.test(value)) return value
  if (!/['\\]/.test(value)) return `'${value}'`
  return `"${value.replaceAll(/[\\"$]/g, String.raw`\$&`)}"`
}

function unquote(value: string) {
  const [, single] = SINGLE.exec(value) ?? []
  if (single !== undefined) return single.replaceAll(String.raw`\'`, "'")
  const [, double] = DOUBLE.exec(value) ?? []
  if (double !== undefined) return double.replaceAll(/\\([\\"$])/g, '$1')
  return (value.split('#')[0] ?? '').trimEnd()
}
