import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, startApi, startTest, startWire, type Test } from '../../test/kit.ts'

type Line = { requestId?: string; route?: string; status?: number; msg?: string }

const lines: Line[] = []
const logger = pino({}, { write: (text) => void lines.push(JSON.parse(text) as Line) })
let api: Test

beforeAll(async () => {
  api = await startTest()
})
afterAll(() => api.stop())

test('the request ID is the same in response, problem and log lines', async () => {
  const wire = await startWire()
  const replica = await startApi({
    databaseUrl: wire.url(api.database.url('gatehouse_app')),
    keys: api.keys,
    logger,
  })
  const authorization = `Bearer ${await api.tokenOf(ADMIN)}`
  const send = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${replica.base}${path}`, { headers: { authorization }, ...init })
    const json = (await answer.json()) as { requestId?: string }
    return { status: answer.status, id: answer.headers.get('x-request-id'), json }
  }
  const answers = [
    await send('/api/services'),
    await send('/api/services/none'),
    await send('/nowhere'),
    await send('/api/services', { method: 'PATCH' }),
    await send('/api/services', { headers: { authorization: 'Bearer nonsense' } }),
    await send('/api/services', { method: 'POST', body: '{', headers: JSON_TYPE }),
  ]
  await wire.cut()
  answers.push(await send('/api/services'))
  await replica.stop()

  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 405, 401, 400, 503])
  const about = lines.filter(({ route, msg }) => route !== undefined || msg === 'request failed')
  for (const { status, id, json } of answers) {
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(json.requestId).toBe(status >= 400 ? id : undefined)
    const own = about.filter(({ requestId }) => requestId === id)
    expect(own.filter((line) => line.status === status)).toHaveLength(1)
    expect(own).toHaveLength(status >= 500 ? 2 : 1)
  }
  expect(about.filter(({ requestId }) => !requestId)).toEqual([])
})

const JSON_TYPE = { 'content-type': 'application/json' }
