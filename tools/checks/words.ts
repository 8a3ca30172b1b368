import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Banned words, and what to write instead. */
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

/** Each banned word in these texts, with its place. */
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

/** String literals of a source, without comments. */
export const literalsIn = (source: string) =>
  [...source.replaceAll(COMMENT, '').matchAll(LITERAL)].map(
    ([, single, double, template]) => single ?? double ?? template ?? '',
  )

/** Exceptions: problem codes, and wording of the specification. */
const FIXED = /changed-meanwhile|meanwhile@example\.test|[Oo]pens at once/g
const WRITTEN = /\.(tsx?|md|sh|sql|scss|ya?ml|conf)$/
/** The lists of banned words themselves. */
const LISTS = /checks\/words(\.test)?\.ts$/

/** Every line of the files at a path: code (identifiers too), comments, test titles and prose. */
export const linesUnder = (path: string): Texts[] =>
  filesAt(path)
    .filter((file) => WRITTEN.test(file) && !LISTS.test(file) && !/node_modules|\/dist/.test(file))
    .map((file) => ({
      where: file,
      texts: readFileSync(file, 'utf8').replaceAll(FIXED, '').split('\n'),
    }))

const filesAt = (path: string) =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file))

/** String literals of the files in a folder. */
export const literalsUnder = (folder: string): Texts[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({
      where: join(folder, file),
      texts: literalsIn(readFileSync(join(folder, file), 'utf8')),
    }))
