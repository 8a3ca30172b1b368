import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseEnv, quote, setEnv } from './env-file.ts'

/** Read by compose-go v2.0.0-rc.1 (of Compose 2.24) and v2.16.2 as the value on the left. */
test.each([
  ['it.mine.example', 'it.mine.example'],
  ["O'Neill & Sons $5", String.raw`"O'Neill & Sons \$5"`],
  ['a # b', `'a # b'`],
  ['back\\slash \'and\' "$quotes"\\', String.raw`"back\\slash 'and' \"\$quotes\"\\"`],
  ['', ''],
])('the value %j is written as %j', (value, text) => {
  expect(quote(value)).toBe(text)
})

test('a written value is read back, whatever it contains', () => {
  const unit = fc.constantFrom(...Array.from('a1 $`"\'\\#;=%@!~*{}()&|<>é:'))
  fc.assert(
    fc.property(fc.string({ unit }), (value) => {
      expect(parseEnv(setEnv('', { A: value, B: 'b' }))).toEqual({ A: value, B: 'b' })
    }),
  )
})

test('lines and comments that the deployer added stay as they are', () => {
  const before = [
    '# Settings of mine',
    "MAIL_FROM='O\\'Neill & Sons $5 <desk@mine.example>' # sender",
    'SITE_HOST=old.mine.example',
    '',
    'export LOG_LEVEL="debug"',
    '#SITE_HOST=commented.mine.example',
  ]
  const after = setEnv(before.join('\n'), { SITE_HOST: 'new.mine.example', TLS: 'acme' })
  expect(after.split('\n')).toEqual([
    ...before.map((line) =>
      line === 'SITE_HOST=old.mine.example' ? 'SITE_HOST=new.mine.example' : line,
    ),
    'TLS=acme',
    '',
  ])
  expect(parseEnv(after)).toEqual({
    MAIL_FROM: "O'Neill & Sons $5 <desk@mine.example>",
    SITE_HOST: 'new.mine.example',
    LOG_LEVEL: 'debug',
    TLS: 'acme',
  })
})

test('the last line of a name counts, and an unquoted value ends before a comment', () => {
  expect(parseEnv('A=1\nA=2 # two\nB: c')).toEqual({ A: '2', B: 'c' })
})

test('ops/env-file.sh reads what is written, as a server does', () => {
  const values = [
    'it.mine.example',
    "O'Neill & Sons $5",
    'a # b',
    `back\\slash 'and' "$quotes"`,
    '`id`',
  ]
  const text = setEnv('', Object.fromEntries(values.map((value, index) => [`A${index}`, value])))
  const script = new URL('../../ops/env-file.sh', import.meta.url).pathname
  const names = values.map((_value, index) => `"$A${index}"`).join(' ')
  const program = `. ${script}; read_env_file <(cat); printf '%s\\n' ${names}`
  const read = execFileSync('bash', ['-c', program], {
    input: text,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  })
  expect(read.trim().split('\n')).toEqual(values)
})
