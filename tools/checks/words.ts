import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What no native speaker would write here, and what to write instead. */
const BANNED: [pattern: RegExp, instead: string][] = [
  [/\bcan not\b/i, 'can’t'],
  [/\bsomebody\b/i, 'someone'],
  [/\bwhoever\b/i, 'someone, anyone'],
  [/\bat once\b/i, 'immediately, or nothing'],
  [/\bfor good\b/i, 'permanently'],
  [/\banew\b/i, 'again'],
  [/\bmeanwhile\b/i, 'while …'],
  [/\be-mails?\b/i, 'email'],
  [/\bweakness/i, 'vulnerability'],
  [/\bgiven up\b/i, 'failed'],
  [/\bput right\b/i, 'fixed'],
  [/\bhad back\b/i, 'restored'],
  [/\bis well\b/i, 'is healthy'],
  [/ …/, 'no space before …'],
]

export type Texts = { where: string; texts: string[] }

/** Every banned word in these texts, with where it stands. */
export const findBanned = (sources: Texts[]) =>
  sources.flatMap(({ where, texts }) =>
    texts.flatMap((text) =>
      BANNED.filter(([pattern]) => pattern.test(text)).map(
        ([, instead]) => `${where}: “${text}” (better: ${instead})`,
      ),
    ),
  )

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g

/** The strings in a source, comments apart. */
export const literalsIn = (source: string) =>
  [...source.replaceAll(COMMENT, '').matchAll(LITERAL)].map(
    ([, single, double, template]) => single ?? double ?? template ?? '',
  )

/** The strings of the files in a folder. */
export const literalsUnder = (folder: string): Texts[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({
      where: join(folder, file),
      texts: literalsIn(readFileSync(join(folder, file), 'utf8')),
    }))
