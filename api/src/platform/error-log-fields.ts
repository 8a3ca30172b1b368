import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { SetupError } from './errors.ts'
import { ROOT } from './paths.ts'

/** Loggable fields of an error: its kind and location, no user data. */
type ErrorFields = { [field: string]: unknown }

const FRAMES_MAX = 12
const CAUSES_MAX = 4
const SIBLINGS_MAX = 3

/** `status` and `code` of our own errors, `migration` of migrate.ts, `responseCode` of an SMTP server. */
const FIELDS = ['code', 'status', 'migration', 'syscall', 'responseCode']
/** PostgreSQL's identifiers. Its message, detail, hint and where may contain values. */
const DATABASE_FIELDS = [
  'code',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'position',
]
/** A word, a migration of the site (`site/0001-x.sql`), or the codes of an SMTP server: `550 5.1.1`. */
const NAME = /^(site\/)?[\w$.-]{1,80}$|^\d{3} \d\.\d{1,3}\.\d{1,3}$/

export function errorLogFields(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { name: typeof error }
  const { cause } = error
  return {
    name: nameOf(error),
    ...namesIn(error),
    // Written for the operator, about settings and models.
    ...(error instanceof SetupError ? { message: error.message } : {}),
    at: framesOf(error),
    ...(cause !== undefined && depth < CAUSES_MAX
      ? { cause: errorLogFields(cause, depth + 1) }
      : {}),
    ...(error instanceof AggregateError && depth < CAUSES_MAX
      ? { errors: error.errors.slice(0, SIBLINGS_MAX).map((one) => errorLogFields(one, depth + 1)) }
      : {}),
  }
}

/** The class's name if the error sets none; 'Error' if it isn't a plain word. */
function nameOf(error: Error) {
  const name = error.name === 'Error' ? error.constructor.name : error.name
  return NAME.test(name) ? name : 'Error'
}

function namesIn(error: Error): ErrorFields {
  const isDatabase = 'severity' in error
  const found = (isDatabase ? DATABASE_FIELDS : FIELDS).map((field) => [
    field,
    Object.getOwnPropertyDescriptor(error, field)?.value,
  ])
  return Object.fromEntries(
    found.filter(([, value]) => value !== undefined && NAME.test(String(value))),
  )
}

/** Strips the message first: it may contain lines that look like stack frames. */
function framesOf({ message, stack = '' }: Error) {
  const start = stack.indexOf(message)
  const isCut = message !== '' && start !== -1
  const lines = stack.slice(isCut ? start + message.length : 0).split('\n')
  // If the message was changed since, only locations in our own files count.
  const frames = isCut || message === '' ? lines.filter(isFrame).map(toFrame) : locationsIn(lines)
  const own = frames.filter((frame) => !frame.includes('node:internal'))
  return (own.length > 0 ? own : frames).slice(0, FRAMES_MAX)
}

const isFrame = (line: string) => /^\s+at /.test(line)

const toFrame = (line: string) =>
  toSource(line.trim().slice('at '.length).replaceAll(ROOT.href, '').replaceAll(ROOT.pathname, ''))

const locationsIn = (lines: string[]) =>
  lines
    .filter((line) => isFrame(line) && (line.includes(ROOT.href) || line.includes(ROOT.pathname)))
    .flatMap((line) => /[\w./@-]+\.[cm]?[jt]sx?:\d+:\d+(?=\)?$)/.exec(toFrame(line)) ?? [])

const BUILT_LOCATION = /(api\/dist\/\w+\.js):(\d+):(\d+)/
const maps = new Map<string, SourceMap | null>()

/**
 * Maps a frame of the built program to our sources. Node's `--enable-source-maps` costs 90 MB from the start; here the map
 * is lazy-loaded with the first error.
 */
const toSource = (frame: string) =>
  frame.replace(BUILT_LOCATION, (built, file: string, line: string, column: string) => {
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column))
    if (!origin || !('fileName' in origin)) return built
    const { href } = new URL(origin.fileName, new URL(file, ROOT))
    return `${href.replace(ROOT.href, '')}:${origin.lineNumber}:${origin.columnNumber}`
  })

function mapOf(file: string) {
  if (!maps.has(file)) maps.set(file, readMap(file))
  return maps.get(file)
}

/** Falls back to the location in the built file. */
function readMap(file: string) {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`, ROOT), 'utf8')))
  } catch {
    return null
  }
}
