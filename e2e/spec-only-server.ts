import type { SpecModel, SpecRecord } from './spec-only-models.ts'
import { readBody, serveSite, type ServedResponse, type SiteConfig } from './site-server.ts'

export type Call = { method: string; path: string; body: unknown }

/** Overrides of responses, by method and path. */
type Faults = Record<string, ServedResponse>

/** A server with only the specified features: no cursors, no versions, no problem details, no trash. */
export async function serveSpecOnly(models: SpecModel[], config: SiteConfig) {
  const calls: Call[] = []
  const faults: Faults = {}
  const records = new Map<SpecModel, SpecRecord[]>(
    models.map((model) => [model, [structuredClone(model.record)]]),
  )
  const site = await serveSite({
    config,
    async api(request, address) {
      const { method = 'GET' } = request
      const path = new URL(address, 'http://localhost').pathname
      const text = await readBody(request)
      const body: unknown = text ? JSON.parse(text) : undefined
      calls.push({ method, path, body })
      return faults[`${method} ${path}`] ?? respond({ method, path, body })
    },
  })
  return { ...site, calls, faults, recordsOf: (model: SpecModel) => records.get(model) ?? [] }

  function respond({ method, path, body }: Call): ServedResponse {
    for (const model of models) {
      const found = records.get(model) ?? []
      const { definition, metadata, nextId, answers } = model
      const responseBody = (value: object & { id: unknown }) =>
        answers === 'nothing' ? nothing : json(200, answers === 'id' ? { id: value.id } : value)
      const collection = addressOf(definition.routeName)
      const one = found.find(({ id }) => path === addressOf(definition.routeName, id))
      const shown = found.find(({ id }) => path === addressOf(definition.path, id))
      if (method === 'GET' && path === collection) return json(200, found)
      if (method === 'GET' && path === addressOf(definition.path, 'form-metadata'))
        return json(200, metadata)
      if (method === 'GET' && shown) return json(200, shown)
      if (method === 'POST' && path === collection) {
        const made = { ...Object(body), id: nextId }
        records.set(model, [...found, made])
        return answers === 'nothing' ? json(201, { id: nextId }) : responseBody(made)
      }
      if (method === 'PUT' && one) return responseBody(Object.assign(one, body))
      if (method === 'DELETE' && one) {
        records.set(
          model,
          found.filter((record) => record !== one),
        )
        return responseBody(one)
      }
    }
    return { status: 404, body: 'There is nothing here', type: 'text/plain' }
  }
}

export const addressOf = (name: string, id?: string | number) =>
  `/api/${encodeURI(name)}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`

export const json = (status: number, value: unknown): ServedResponse => ({
  status,
  body: JSON.stringify(value),
  type: 'application/json',
})

const nothing: ServedResponse = { status: 204, body: '', type: 'application/json' }
