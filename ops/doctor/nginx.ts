import { execFileSync } from 'node:child_process'
import { failure, ok } from './finding.ts'

/** Set by ops/install.sh: with fewer, one visitor could occupy all connections with unfinished headers. */
const CONNECTIONS_MIN = 8_192
const FILES_MIN = 2 * CONNECTIONS_MIN

/** Configuration of the running nginx; null if there is none or we may not read it. */
export function readNginx() {
  try {
    return execFileSync('/usr/sbin/nginx', ['-T', '-q'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    })
  } catch {
    return null
  }
}

/** Connection limits of the nginx that serves our site; checkLogs reports one that can't be read. */
export function checkConnectionLimits(text: string | null) {
  const files = parseNginx(text ?? '')
  if (!files.some(({ file }) => file.includes('gatehouse'))) return []
  const largest = (name: string) =>
    Math.max(
      0,
      ...files.flatMap(({ directives }) =>
        allNamed(directives, name).map(({ args }) => Number(args[0])),
      ),
    )
  const wanted = { worker_connections: CONNECTIONS_MIN, worker_rlimit_nofile: FILES_MIN }
  const wrong = Object.entries(wanted).flatMap(([name, least]) =>
    largest(name) >= least
      ? []
      : [
          failure(
            `${name} of nginx is ${largest(name) || 'not set'}: one visitor can use up all connections`,
            `set ${name} ${least}; in /etc/nginx/nginx.conf and reload nginx, or run gatehouse up`,
          ),
        ],
  )
  return wrong.length > 0
    ? wrong
    : [ok(`nginx has room for ${largest('worker_connections')} connections in each worker`)]
}

type Directive = { name: string; args: string[]; block: Directive[] }

const FILE = /^# configuration file (.+):$/m
const TOKEN = /#[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{};]|(?:\\.|\$\{[^}]*\}|[^\s{};"'\\])+/g

/** Output of `nginx -T`, by file. */
export function parseNginx(text: string) {
  const [, ...parts] = text.split(FILE)
  return parts.flatMap((file, index) =>
    index % 2 === 0 ? [{ file, directives: parse(parts[index + 1] ?? '') }] : [],
  )
}

function parse(text: string) {
  const top: Directive[] = []
  const open = [top]
  let words: string[] = []
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue
    if (token === '}') open.pop()
    else if (token === ';' || token === '{') {
      const [name = '', ...args] = words
      const directive: Directive = { name, args, block: [] }
      open.at(-1)?.push(directive)
      if (token === '{') open.push(directive.block)
      words = []
    } else words.push(token)
  }
  return top
}

export const allNamed = (directives: Directive[], name: string): Directive[] =>
  directives.flatMap((one) => [...(one.name === name ? [one] : []), ...allNamed(one.block, name)])
