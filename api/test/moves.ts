import type { Model } from '@gatehouse/model'

/**
 * Runs a callback as on an earlier release, which let records of this model move to another parent: databases still have such
 * histories. Start-up rejects such a model, so it is changed only while the callback runs.
 */
export async function withMoves<T>(models: Model[], path: string, run: () => Promise<T>) {
  const model = models.find((one) => one.path === path)
  const via = model?.rowScope?.['via']
  const relation = via === undefined ? undefined : model?.fields[via]
  if (!relation) throw new Error(`${path} has no parent`)
  relation.immutable = false
  try {
    return await run()
  } finally {
    relation.immutable = true
  }
}
