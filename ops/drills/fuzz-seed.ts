import type { ApiProcess } from './kit/api-process.ts'
import type { DrillEnvironment } from './kit/drill-environment.ts'

/** Enough records that ids still resolve after some are deleted. */
const EACH = 8

export const OWNER = { sub: 'sub-owner', name: 'Olga Owner', role: 'admin', owner: true } as const
export const TECHNICIAN = { sub: 'sub-technician', name: 'Tess Technician', role: 'admin' } as const
/** Manager of an organisation: sees the most rows a non-admin can. */
export const USER = { sub: 'sub-user', name: 'Uma User', role: 'user' } as const

type Ids = Record<string, string[]>

export async function seedRecords(stage: DrillEnvironment, api: ApiProcess): Promise<Ids> {
  const token = await stage.keys.tokenOf(OWNER)
  const ids: Ids = {}
  for (const [path, build] of Object.entries(RECORDS))
    for (let n = 0; n < EACH; n++) {
      const created = await create(`${api.base}/api/${path}`, token, build(n, ids))
      ids[path] = [...(ids[path] ?? []), created]
    }
  await stage.ask(
    `update contacts set user_sub = $1, portal_role = 'manager', organisation = $2 where id = $3`,
    [USER.sub, ids['organisations']?.[0], ids['contacts']?.[0]],
  )
  return ids
}

const RECORDS: Record<string, (n: number, ids: Ids) => object> = {
  organisations: (n) => ({ name: `Organisation ${n}`, city: 'Cork', employees: n }),
  contacts: (n, ids) => ({
    fullName: `Contact ${n}`,
    email: `c${n}@example.test`,
    organisation: one(ids, 'organisations', n),
  }),
  services: (n) => ({
    name: `Service ${n}`,
    slug: `service-${n}`,
    category: 'Managed IT',
    summary: 'Summary',
    description: 'Text',
    published: true,
  }),
  contracts: (n, ids) => ({
    reference: `C-${n}`,
    organisation: one(ids, 'organisations', n),
    service: one(ids, 'services', n),
    startOn: '2026-01-01',
  }),
  tickets: (n, ids) => ({
    fullName: 'Uma',
    email: 'uma@example.test',
    subject: `Ticket ${n}`,
    message: 'Help',
    clientId: n % 2 ? USER.sub : null,
    organisation: one(ids, 'organisations', n),
  }),
  assets: (n, ids) => ({
    name: `Asset ${n}`,
    assetTag: `A-${n}`,
    kind: 'Laptop',
    organisation: one(ids, 'organisations', n),
  }),
  incidents: (n, ids) => ({
    title: `Incident ${n}`,
    organisation: one(ids, 'organisations', n),
    kind: 'Phishing',
    severity: 'Low',
    summary: 'Text',
    detectedAt: '2026-01-01T00:00:00Z',
  }),
  articles: (n) => ({
    title: `Article ${n}`,
    slug: `article-${n}`,
    kind: 'Guide',
    body: 'Text',
    published: true,
  }),
}

/** Alternates between two records; the first organisation is the user's. */
const one = (ids: Ids, path: string, n: number) => ids[path]?.[n % 2]

async function create(url: string, token: string, body: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${text}`)
  return (JSON.parse(text) as { id: string }).id
}
