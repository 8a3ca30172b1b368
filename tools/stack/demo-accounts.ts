import { connectAdminApi } from '../realm/admin-api.ts'
import { readOptions } from '../realm/options.ts'

const DEFAULT = 'default-roles-gatehouse'
const WORKERS = ['One', 'Two', 'Three', 'Four']

type Kind = 'owner' | 'technician' | 'user'
type Person = { sub: string; username: string; firstName: string; lastName: string; kind: Kind }

const uuid = (start: string, number = 1) =>
  `${start}000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** One of each kind per worker of the browser tests. */
const forWorkers = (name: string, start: string, kind: Kind): Person[] =>
  WORKERS.map((lastName, index) => ({
    sub: uuid(start, index + 1),
    username: `${name}-${index + 1}`,
    firstName: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    lastName,
    kind,
  }))

/** Fixed ids, so that sample records can belong to them. */
const PEOPLE: Person[] = [
  { sub: uuid('a0'), username: 'alice', firstName: 'Alice', lastName: 'Admin', kind: 'owner' },
  { sub: uuid('b0'), username: 'bob', firstName: 'Bob', lastName: 'Client', kind: 'user' },
  { sub: uuid('c0'), username: 'carol', firstName: 'Carol', lastName: 'Byrne', kind: 'user' },
  { sub: uuid('d0'), username: 'dave', firstName: 'Dave', lastName: 'Kelleher', kind: 'user' },
  { sub: uuid('e0'), username: 'tess', firstName: 'Tess', lastName: 'Nolan', kind: 'technician' },
  ...forWorkers('admin', 'a1', 'owner'),
  ...forWorkers('tech', 'e1', 'technician'),
  ...forWorkers('user', 'b1', 'user'),
]

const ROLES: Record<Kind, string[]> = {
  owner: [DEFAULT, 'admin', 'owner'],
  technician: [DEFAULT, 'admin'],
  user: [DEFAULT],
}

export const demoAccounts = () =>
  PEOPLE.map(({ sub, username, firstName, lastName, kind }) => ({
    sub,
    username,
    fullName: `${firstName} ${lastName}`,
    email: `${username}@example.test`,
    kind,
    password: `${username}-demo-password`,
    isAdmin: kind !== 'user',
  }))

export async function addDemoAccounts(env: NodeJS.ProcessEnv) {
  const api = connectAdminApi(readOptions(env))
  await api.change('demo accounts', 'POST', '/partialImport', {
    ifResourceExists: 'SKIP',
    users: PEOPLE.map(({ sub, username, firstName, lastName, kind }) => ({
      id: sub,
      username,
      firstName,
      lastName,
      email: `${username}@example.test`,
      emailVerified: true,
      enabled: true,
      credentials: [{ type: 'password', value: `${username}-demo-password`, temporary: false }],
      realmRoles: ROLES[kind],
    })),
  })
}
