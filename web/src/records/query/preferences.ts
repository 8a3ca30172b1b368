import { callApi } from '#data/client.ts'
import { currentUser } from '#auth/session.ts'
import { listMessages } from '#messages/list.ts'
import { siteMessages } from '#messages/site.ts'
import { importOrToast } from '#feedback/import-or-toast.ts'
import type { Definition } from '#data/definitions.ts'

/** A user's list settings; the URL overrides them. */
type ListPreferences = {
  columns: string[] | null
  limit: number | null
  density: 'comfortable' | 'compact'
}
type Views = Record<string, Partial<ListPreferences> | undefined>

let cached: { sub: string; views: Promise<Views> } | null = null
/** Updated before the save: the next list must not use the old value. */
let changedHere: Views = {}

/** The query with preferences applied, or null if unchanged. */
export async function withRemembered(definition: Definition, query: URLSearchParams) {
  if (!definition.trash || ['columns', 'limit', 'density'].some((name) => query.has(name)))
    return null
  const view = (await viewsOfVisitor())[definition.path]
  const filled = new URLSearchParams(query)
  if (Array.isArray(view?.columns) && view.columns.length > 0)
    filled.set('columns', view.columns.join())
  if (typeof view?.limit === 'number') filled.set('limit', String(view.limit))
  if (view?.density === 'compact') filled.set('density', 'compact')
  return filled.size > query.size ? filled : null
}

export async function savePreferences({ path, trash }: Definition, search: string) {
  if (!trash) return
  const query = new URLSearchParams(search)
  const limit = query.get('limit')
  const view: ListPreferences = {
    columns: query.get('columns')?.split(',').filter(Boolean) ?? null,
    limit: limit === null ? null : Number(limit),
    density: query.get('density') === 'compact' ? 'compact' : 'comfortable',
  }
  changedHere = { ...changedHere, [path]: view }
  if ((await currentUser()) === null) {
    changedHere = {}
    return
  }
  await save(path, view)
}

async function save(path: string, view: ListPreferences): Promise<void> {
  // Lazy-loaded: most lists are only read.
  const part = await importOrToast(
    () => import('#data/mutate.ts'),
    () => save(path, view),
  )
  await part?.mutate({
    method: 'PUT',
    path: `me/views/${path}`,
    body: view,
    failed: () => ({
      message: listMessages.viewNotSaved,
      type: 'danger',
      action: { label: siteMessages.tryAgain, run: () => void save(path, view) },
    }),
  })
}

async function viewsOfVisitor(): Promise<Views> {
  const sub = (await currentUser())?.profile.sub
  if (sub === undefined) return {}
  if (cached && cached.sub !== sub) changedHere = {}
  if (cached?.sub !== sub) cached = { sub, views: load() }
  return { ...(await cached.views), ...changedHere }
}

async function load(): Promise<Views> {
  try {
    const response = await callApi('me/views')
    if (response.ok) return Object(await response.json())
  } catch {
    // Not reported: the list works with defaults, and the next one retries.
  }
  cached = null
  return {}
}
