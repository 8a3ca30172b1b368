import { rmSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { cloneDatabase } from '../../api/test/kit.ts'
import { startApi, type ApiProcess } from '../../ops/drills/kit/api-process.ts'
import { startKeyServer } from '../../ops/drills/kit/key-server.ts'
import { copyWorkspace } from '../build/workspace.ts'

const HOOK_TIMEOUT_MS = 300_000
const PEOPLE = {
  admin: { sub: 'sub-admin', name: 'Ada Admin', role: 'admin' },
  user: { sub: 'sub-alice', name: 'Alice', role: 'user' },
} as const

/** Copies the workspace once per test file, lets `change` edit the copy, and starts its API on an empty database. */
export function serveCopy(
  change: (copy: string) => void,
  env: () => Record<string, string> = () => ({}),
) {
  let copy: string
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  let keys: Awaited<ReturnType<typeof startKeyServer>>
  let api: ApiProcess

  beforeAll(async () => {
    copy = copyWorkspace()
    change(copy)
    database = await cloneDatabase({ isEmpty: true })
    keys = await startKeyServer()
    api = await startApi({
      root: copy,
      env: {
        ...keys.env,
        ...env(),
        DATABASE_URL: database.url('gatehouse_app'),
        DATABASE_MIGRATION_URL: database.url('gatehouse_migrate'),
      },
    })
  }, HOOK_TIMEOUT_MS)

  afterAll(async () => {
    await api?.stop()
    keys?.stop()
    await database?.drop()
    if (copy) rmSync(copy, { recursive: true, force: true })
  }, HOOK_TIMEOUT_MS)

  return {
    folder: () => copy,
    sql: (text: string) => database.sql(text),
    migrationUrl: () => database.url('gatehouse_migrate'),
    call: async (method: string, path: string, who: keyof typeof PEOPLE | null, body?: object) => {
      const response = await fetch(`${api.base}${path}`, {
        method,
        headers: {
          ...(who ? { authorization: `Bearer ${await keys.tokenOf(PEOPLE[who])}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      return { status: response.status, text, json: text ? JSON.parse(text) : null }
    },
  }
}
