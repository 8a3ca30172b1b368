import { join } from 'node:path'
import type { DrillEnvironment } from '../kit/drill-environment.ts'
import { startApi } from '../kit/api-process.ts'

const ADMIN = { sub: 'sub-admin', name: 'Ada Admin', role: 'admin' } as const

export type Answer = {
  status: number
  json: Record<string, unknown> & { items: Record<string, unknown>[] }
}
export type Client = (method: string, path: string, body?: object) => Promise<Answer>

/** As in production, where a wrong notice prevents the start. */
export async function withApi<T>(
  root: string,
  { keys, directory }: DrillEnvironment,
  env: Record<string, string>,
  ask: (client: Client) => Promise<T>,
) {
  const api = await startApi({
    root,
    log: join(directory, 'api.log'),
    env: { ...env, NODE_ENV: 'production' },
  })
  try {
    const token = await keys.tokenOf(ADMIN)
    return await ask(async (method, path, body) => {
      const response = await fetch(`${api.base}/api/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      return { status: response.status, json: text ? JSON.parse(text) : null }
    })
  } finally {
    await api.stop()
  }
}
