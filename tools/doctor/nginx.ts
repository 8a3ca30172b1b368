import { execFileSync } from 'node:child_process'
import { failure, ok } from './finding.ts'
import { allNamed, parseNginx } from './nginx-config.ts'

/** What ops/install.sh sees to: fewer, and one visitor holds them all open with heads that never end. */
const CONNECTIONS_MIN = 8_192
const FILES_MIN = 2 * CONNECTIONS_MIN

/** The files the running nginx was started with; null where there is none, or none we may ask. */
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

/** Room for visitors, where nginx serves ours; that it can not be seen the check of the logs says. */
export function checkRoom(text: string | null) {
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
            `${name} of nginx is ${largest(name) || 'not set'}: one visitor can take all its connections`,
            `set ${name} ${least}; in /etc/nginx/nginx.conf and reload nginx, or run ops/install.sh again`,
          ),
        ],
  )
  return wrong.length > 0
    ? wrong
    : [ok(`nginx has room for ${largest('worker_connections')} connections in each worker`)]
}
