import type { Visitor } from './http-clients.ts'

type SignedIn = { visit: Visitor; site: string; token: string }
export type AttachedFile = { ticket: string; content: string }

/** A ticket with a file, whose bytes may take some time. */
export async function attachFile(
  { visit, site, token }: SignedIn,
  content: string,
  uploadMs?: number,
): Promise<AttachedFile> {
  const send = async (path: string, type: string, body: string, overMs?: number) => {
    const response = await visit(`${site}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': type,
        'content-length': String(Buffer.byteLength(body)),
        'x-file-name': 'drill.txt',
      },
      body,
      ...(overMs ? { overMs } : {}),
    })
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${response.body}`)
    return (JSON.parse(response.body) as { id: string }).id
  }
  const file = await send('/api/files', 'application/octet-stream', content, uploadMs)
  const fields = { fullName: 'Erin', email: 'erin@gatehouse.test', message: 'Hello' }
  const record = JSON.stringify({ ...fields, subject: content, attachments: [file] })
  return { ticket: await send('/api/tickets', 'application/json', record), content }
}

/** What a link to the ticket's file opens. */
export async function readAttached({ visit, site, token }: SignedIn, { ticket }: AttachedFile) {
  const links = await visit(`${site}/api/tickets/${ticket}/file-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  const address = /\/api\/files\/[^"]+/.exec(links.body)?.[0]
  return address ? (await visit(`${site}${address}`)).body : links.body
}
