import { existsSync, readFileSync } from 'node:fs'
import { failure, ok, type Finding } from '../../ops/doctor/finding.ts'
import type { EnvValues } from './env-file.ts'

/** Linux lists all sockets here, even those of other users; a port below 1024 couldn't be tried without root. */
const SOCKETS = ['/proc/net/tcp', '/proc/net/tcp6']
const LISTENING = '0A'
const EXAMPLE_PORT = 8080

type PortOptions = {
  isRunning?: boolean
  /** Of a server, which takes settings as variables of it; containers have .env. */
  upCommand?: string | null
}

/** The ports of the site must be free, unless the site itself listens there. */
export function checkPorts(
  env: EnvValues,
  { isRunning = false, upCommand = null }: PortOptions = {},
): Finding[] {
  if (isRunning) return []
  const taken = listeningPorts()
  return [
    ['HTTP_PORT', '80'],
    ['HTTPS_PORT', '443'],
  ].map(([name = '', fallback = '']) => {
    // May name an address too, as in 127.0.0.1:8080.
    const port = (env[name] || fallback).replace(/^.*:/, '')
    return taken.has(Number(port))
      ? failure(
          `Port ${port} is in use by another program`,
          `stop it (ss -ltnp names it), or ${upCommand ? `choose another one, as in ${name}=${EXAMPLE_PORT} ${upCommand},` : `set ${name} in .env`} and let a proxy pass connections on`,
        )
      : ok(`Port ${port} is free`)
  })
}

function listeningPorts() {
  const lines = SOCKETS.filter((file) => existsSync(file)).flatMap((file) =>
    readFileSync(file, 'utf8').split('\n').slice(1),
  )
  return new Set(
    lines.flatMap((line) => {
      const [, local = '', , state] = line.trim().split(/\s+/)
      return state === LISTENING ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : []
    }),
  )
}
