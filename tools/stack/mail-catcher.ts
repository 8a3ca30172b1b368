import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** Catches the stack's mail: accepts it over SMTP, shows it on a page, stores it in memory only. */
const KEPT_MAX = 500
const SIZE_MAX_BYTES = 5_000_000

type Mail = {
  id: number
  at: string
  from: string
  to: string[]
  subject: string
  text: string
  html: string
}

const mails: Mail[] = []
/** Rejected addresses with their SMTP reply, such as `550 5.1.1 No such mailbox`. */
const refusals = new Map<string, string>()
let count = 0

const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  size: SIZE_MAX_BYTES,
  onRcptTo: ({ address }, _session, accept) => {
    const [code, ...words] = refusals.get(address)?.split(' ') ?? []
    if (!code) return accept()
    return accept(Object.assign(new Error(words.join(' ')), { responseCode: Number(code) }))
  },
  onData: (stream, session, accept) => {
    keep(stream, session.envelope).then(() => accept(), accept)
  },
})
// A client that hangs up must not stop the server.
smtp.on('error', (error) => console.error(error.message))

smtp.listen(portOf('MAIL_SMTP_PORT', 8225), '127.0.0.1')
createServer(answer).listen(portOf('MAIL_PORT', 8226), '127.0.0.1')

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))

async function keep(
  stream: Parameters<typeof buffer>[0],
  { mailFrom, rcptTo }: { mailFrom: false | { address: string }; rcptTo: { address: string }[] },
) {
  const mail = await PostalMime.parse(await buffer(stream))
  mails.unshift({
    id: ++count,
    at: new Date().toISOString(),
    from: mailFrom ? mailFrom.address : '',
    // Envelope recipients, not the header's.
    to: rcptTo.map(({ address }) => address),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
  })
  mails.length = Math.min(mails.length, KEPT_MAX)
}

/**
 * `GET /` a page, `GET /mails` JSON, newest first (`?to=` for one recipient), `DELETE /mails` removes all. `PUT
 * /refusals?to=…&answer=550 5.1.1 No` rejects an address, `DELETE /refusals?to=…` accepts it again.
 */
function answer({ method, url }: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://localhost')
  const to = searchParams.get('to')
  const wanted = mails.filter((mail) => to === null || mail.to.includes(to))
  if (method === 'GET' && pathname === '/') return send(response, 'text/html', page(wanted))
  if (method === 'GET' && pathname === '/mails')
    return send(response, 'application/json', JSON.stringify(wanted))
  if (method === 'DELETE' && pathname === '/mails') {
    mails.length = 0
    return response.writeHead(204).end()
  }
  if (to !== null && pathname === '/refusals' && (method === 'PUT' || method === 'DELETE')) {
    if (method === 'PUT')
      refusals.set(to, searchParams.get('answer') ?? '550 5.1.1 No such mailbox')
    else refusals.delete(to)
    return response.writeHead(204).end()
  }
  return response.writeHead(404).end()
}

const send = (response: ServerResponse, type: string, body: string) =>
  response
    .writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
    })
    .end(body)

const page = (shown: Mail[]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Mails</title>
<style>body { font: 16px/1.5 sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem } pre { white-space: pre-wrap; overflow-wrap: anywhere }</style>
<h1>Mails (${shown.length})</h1>
${shown.map(section).join('\n') || '<p>None yet. Reload to look again.</p>'}
</html>`

const section = (mail: Mail) => `<h2>${escape(mail.subject)}</h2>
<p>${escape(mail.at)}, from ${escape(mail.from)} to ${escape(mail.to.join(', '))}</p>
<pre>${withLinks(escape(mail.text || mail.html))}</pre>`

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Links URLs in escaped text, where a URL may contain `&amp;`. */
const withLinks = (text: string) =>
  text.replaceAll(
    /https?:\/\/(?:&amp;|[^\s"&])+/g,
    (url) => `<a href="${url}" rel="noreferrer">${url}</a>`,
  )

function portOf(name: string, fallback: number) {
  return Number(process.env[name] ?? fallback)
}
