import type { AddressInfo } from 'node:net'
import { toLines, toOneLine } from '@gatehouse/model'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect, test, vi } from 'vitest'
import { ALICE, CONFIG, startTest } from '../../test/kit.ts'
import { startMailWorker } from '../../test/mail-worker.ts'
import { buildMailer } from '#platform/mail/mailer.ts'

const SOON = { timeout: 25_000, interval: 100 }
const FROM = 'Gatehouse <privacy@gatehouse.example>'

test('names and subjects stored before the character rule are mailed without control and bidi characters', async () => {
  const api = await startTest()
  const relay = await startRelay()
  const { json } = await api.call('POST', '/api/tickets', ALICE, {
    body: {
      fullName: 'T',
      email: 't@example.test',
      subject: 's',
      contactType: 'Query',
      message: 'm',
    },
  })
  // As stored before the rule.
  await api.database.sql(
    'update tickets set full_name = $2, subject = $3, message = $4 where id = $1',
    [
      json.id,
      'Tess\r\nType: Forged',
      'a\r\nBcc: x@example.test\u202e',
      'one\r\ntwo\u2066\u001b[31m',
    ],
  )
  const worker = startMailWorker(api, { relay })
  await vi.waitFor(() => expect(relay.mails).toHaveLength(2), SOON)
  await worker.stop()
  await relay.stop()
  await api.stop()

  const mails = await Promise.all(relay.mails)
  for (const { headers, subject, text } of mails) {
    expect(headers.map(({ key }) => key)).not.toContain('bcc')
    expect(subject).toBe(toOneLine(subject ?? ''))
    expect(text).toBe(toLines(text ?? ''))
  }
  const opened = mails.find(({ to }) => to?.[0]?.address === CONFIG.owner.email)
  expect(opened?.subject).toContain('a Bcc: x@example.test')
  expect(opened?.text).toContain('Tess Type: Forged <t@example.test> wrote:')
  expect(opened?.text).toContain('one\ntwo[31m')
})

test('a recipient address with bidi characters is rejected, not sanitised', async () => {
  const mailer = buildMailer({ url: 'smtp://127.0.0.1:1', from: FROM })
  const mail = { id: crypto.randomUUID(), to: 'a\u202eb@example.test', subject: 's', text: 't' }
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'invalid-address', isFinal: true })
  mailer.close()
})

async function startRelay() {
  const mails: ReturnType<typeof PostalMime.parse>[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, _session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (bytes: Buffer) => parts.push(bytes))
      stream.on('end', () => {
        mails.push(PostalMime.parse(Buffer.concat(parts)))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    mails,
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
