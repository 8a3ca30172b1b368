import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../stack/settings.ts'

const PROGRAM = new URL('../../ops/nginx/listening-sockets.pl', import.meta.url).pathname
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-sockets-'))
const socket = join(directory, 'socket')
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(directory, { recursive: true })
})

function start(...args: string[]) {
  const child = spawn('perl', [PROGRAM, ...args], { stdio: 'ignore' })
  children.push(child)
  return { child, ended: once(child, 'exit') }
}

/** An nginx that inherits the port, and writes what it received into its responses. */
function startNginx(name: string, port: number) {
  const folder = join(directory, name)
  mkdirSync(folder)
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; pid ${folder}/pid; events {}
     http { access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
            uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
            server { listen ${port}; location / { return 200 ${name}; } } }`,
  )
  return start('inherit', socket, 'nginx', '-e', 'stderr', '-p', folder, '-c', config)
}

const ask = async (port: number) => (await fetch(`http://127.0.0.1:${port}/`)).text()

test('a request waits while no nginx listens, and two nginx take turns on one port until its holder ends', async () => {
  const port = await freePort()
  // It may start before the holder does.
  const first = startNginx('first', port)
  await setTimeout(300)
  const holder = start('hold', socket, String(port))
  while (!existsSync(socket)) await setTimeout(20)
  expect(await ask(port)).toBe('first')

  first.child.kill('SIGQUIT')
  await first.ended
  const waiting = ask(port)
  const second = startNginx('second', port)
  expect(await waiting).toBe('second')

  holder.child.kill('SIGTERM')
  expect((await holder.ended)[0]).toBe(0)
  await second.ended
})
