import { expect } from 'vitest'
import { ADMIN, type Test } from './kit.ts'

export type Client = {
  sub: string
  name: string
  role: 'user'
  email: string
  emailVerified: true
  /** IDs of account and contact. */
  account: string
  contact: string
}

export function buildClients(t: Test) {
  let count = 0

  async function make(path: string, body: object): Promise<string> {
    const made = await t.call('POST', `/api/${path}`, ADMIN, { body })
    expect(made.status, made.text).toBe(201)
    return made.json.id
  }

  async function act(path: string, body: object = {}) {
    const done = await t.call('POST', `/api/${path}`, ADMIN, { body })
    expect(done.status, done.text).toBe(200)
    return done
  }

  const organisation = (name: string) => make('organisations', { name })

  /** A client with a contact who has signed in but isn't approved yet. */
  async function asking(values: object = {}): Promise<Client> {
    const sub = `sub-client-${++count}-${crypto.randomUUID()}`
    const email = `${sub}@example.test`
    const known = {
      sub,
      name: `Client ${count}`,
      role: 'user',
      email,
      emailVerified: true,
    } as const
    const contact = await make('contacts', { fullName: `Contact ${count}`, email, ...values })
    await t.call('GET', '/api/me', known)
    const [row] = await t.database.sql('select id from accounts where sub = $1', [sub])
    return { ...known, account: row.id, contact }
  }

  const decide = (decision: 'approve' | 'refuse') => (client: Client) =>
    act(`accounts/${client.account}/${decision}`)

  return {
    make,
    act,
    organisation,
    asking,
    approve: decide('approve'),
    decline: decide('refuse'),
    approved: async (values: object = {}) => {
      const client = await asking(values)
      await act(`accounts/${client.account}/approve`)
      return client
    },
    open: (values: object) =>
      make('tickets', { subject: 'Phone', message: 'They called.', ...values }),
    change: (id: string, body: object) => t.call('PUT', `/api/tickets/${id}`, ADMIN, { body }),
    ticket: async (id: string) => (await t.call('GET', `/api/tickets/${id}`, ADMIN)).json,
    reply: (id: string, body = 'an answer') =>
      t.call('POST', `/api/tickets/${id}/reply`, ADMIN, { body: { body } }),
    undo: (operation: string | null) => t.call('POST', `/api/operations/${operation}/undo`, ADMIN),
    canRead: async (client: Client, id: string) =>
      (await t.call('GET', `/api/tickets/${id}`, client)).status === 200,
  }
}
