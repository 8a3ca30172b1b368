import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from './settings.ts'
import { isResponding } from './process.ts'

let catcher: ChildProcess
let smtpPort: number
let page: string

beforeAll(async () => {
  smtpPort = await freePort()
  const port = await freePort()
  page = `http://127.0.0.1:${port}`
  catcher = spawn(process.execPath, [join(import.meta.dirname, 'mail-catcher.ts')], {
    env: { ...process.env, MAIL_SMTP_PORT: String(smtpPort), MAIL_PORT: String(port) },
  })
  while (!(await isResponding(`${page}/mails`))) await setTimeout(50)
}, 60_000)
afterAll(async () => {
  catcher.kill()
  await once(catcher, 'exit')
})

const BODY = `From: Desk <desk@example.test>
To: nora@example.test
Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
Content-Type: text/plain; charset=utf-8

Look here: <https://example.test/x?a=1&b=2>
<script>alert(1)</script>
.`

/** Sends the lines one by one, each after the previous reply. */
async function speakSmtp(lines: string[]) {
  const socket = connect(smtpPort, '127.0.0.1')
  const output = lines.values()
  const responses: string[] = []
  for await (const response of createInterface(socket)) {
    responses.push(response)
    // "250-" continues a multi-line reply.
    if (response[3] === ' ') socket.write(`${output.next().value?.replaceAll('\n', '\r\n')}\r\n`)
  }
  return responses
}

test('the mail catcher shows a mail on its page and in JSON, by envelope recipient', async () => {
  const responses = await speakSmtp([
    'EHLO test',
    'MAIL FROM:<desk@example.test>',
    'RCPT TO:<nora@example.test>',
    'RCPT TO:<hidden@example.test>',
    'DATA',
    BODY,
    'QUIT',
  ])
  for (const response of responses) expect(response).toMatch(/^[23]/)
  const [mail] = await (await fetch(`${page}/mails?to=hidden@example.test`)).json()
  expect(mail).toMatchObject({
    from: 'desk@example.test',
    to: ['nora@example.test', 'hidden@example.test'],
    subject: 'Grüße',
  })
  expect(await (await fetch(`${page}/mails?to=nobody@example.test`)).json()).toEqual([])

  const html = await (await fetch(page)).text()
  expect(html).toContain('href="https://example.test/x?a=1&amp;b=2"')
  expect(html).not.toContain('<script>')
})

test('DELETE removes all mails from the mail catcher', async () => {
  expect((await fetch(`${page}/mails`, { method: 'DELETE' })).status).toBe(204)
  expect(await (await fetch(`${page}/mails`)).json()).toEqual([])
})

test('the mail catcher rejects an address until its refusal is deleted', async () => {
  const address = 'gone@example.test'
  const greet = ['EHLO test', 'MAIL FROM:<desk@example.test>', `RCPT TO:<${address}>`, 'QUIT']
  const rejection = `${page}/refusals?to=${address}`
  await fetch(`${rejection}&answer=${encodeURIComponent('550 5.1.1 No such mailbox')}`, {
    method: 'PUT',
  })
  expect(await speakSmtp(greet)).toContainEqual('550 5.1.1 No such mailbox')
  await fetch(rejection, { method: 'DELETE' })
  for (const response of await speakSmtp(greet)) expect(response).toMatch(/^2/)
})
