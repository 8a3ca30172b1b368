import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoAccounts } from '../../tools/stack/demo-accounts.ts'
import { PRODUCTION_LIMITS } from '../../tools/stack/nginx.ts'
import { readSettings } from '../../tools/stack/settings.ts'
import { buildWeb, pagesFolder } from '../../tools/stack/web.ts'
import { OWNER } from './kit/million-seed.ts'
import { startApi } from './kit/api-process.ts'
import { startKeyServer } from './kit/key-server.ts'
import { openSeededDatabase } from './kit/seeded-database.ts'
import { signIn } from './kit/identity/sign-in.ts'
import { startSite } from './kit/site-process.ts'
import { localClient } from './kit/http-clients.ts'

const ADMIN = { sub: 'sub-stranger', name: 'Sam Stranger', role: 'admin' } as const
const OFFICE = 60
/** Contacts of the seeded database with some tickets each; the first ones are the benchmark's own. */
const FIRST_CONTACT = 4

export type AttackEnvironment = {
  port: number
  /** Without limits, to search for the most expensive query. */
  searched: { base: string; stop: () => Promise<void> }
  /** Tokens of the noisy neighbour, of another user, and of each user in the office. */
  people: () => Promise<{ stranger: string; other: string; office: string[] }>
  close: () => Promise<void>
}

export async function startFullEnvironment(): Promise<AttackEnvironment> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-stranger-'))
  await buildWeb(directory)
  const million = await openSeededDatabase()
  const keys = await startKeyServer()
  const env = { ...keys.env, DATABASE_URL: million.url('gatehouse_app'), WORKER: 'off' }
  const pages = join(directory, 'pages')
  const api = await startApi({ env: { ...env, PAGES_DIR: pages }, hasLimits: true })
  const searcher = await startApi({ env })
  const { directory: nginx, over } = front(directory)
  const site = await startSite({
    directory: nginx,
    over: { ...over, PAGES_ROOT: pagesFolder(pages) },
    replicas: [api.port],
  })
  return {
    port: site.port,
    searched: searcher,
    people: async () => ({
      stranger: await keys.tokenOf(ADMIN),
      other: await keys.tokenOf(OWNER),
      office: await Promise.all(
        Array.from({ length: OFFICE }, (_, index) =>
          keys.tokenOf({
            sub: `sub-${FIRST_CONTACT + index}`,
            name: `Office ${index}`,
            role: 'user',
          }),
        ),
      ),
    }),
    close: async () => {
      await site.stop()
      await api.stop()
      keys.stop()
      await million.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The running stack behind an nginx with production limits. */
export async function startShortEnvironment(): Promise<AttackEnvironment> {
  const { ports, site: address, issuer } = readSettings()
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-stranger-'))
  const site = await startSite({ ...front(directory), replicas: [ports.api] })
  return {
    port: site.port,
    searched: { base: `http://127.0.0.1:${ports.api}`, stop: async () => {} },
    people: async () => {
      const tokens = new Map<string, string>()
      for (const { username, password } of demoAccounts())
        tokens.set(
          username,
          await signIn({ visit: localClient, issuer, site: address, username, password }),
        )
      const { alice = '', dave = '', ...office } = Object.fromEntries(tokens)
      return { stranger: alice, other: dave, office: Object.values(office) }
    },
    close: async () => {
      await site.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const front = (directory: string) => ({
  directory: join(directory, 'nginx'),
  over: PRODUCTION_LIMITS,
})
