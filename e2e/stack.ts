import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = new URL('..', import.meta.url).pathname

export async function without(part: 'api' | 'keycloak', act: () => Promise<void>) {
  await stack('stop', part)
  try {
    await act()
  } finally {
    await stack('start', part)
  }
}

const stack = (...args: string[]) =>
  run('npm', ['run', '--silent', 'stack', '--', ...args], { cwd: ROOT })
