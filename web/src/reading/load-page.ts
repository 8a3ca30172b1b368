import { redirect, replace } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { currentUser } from '#auth/session.ts'
import { getJson } from '#data/failure.ts'
import { definitionsSettled, publicDefinitionAt, type Definition } from '#data/definitions.ts'
import { readingFieldOf, readingPath } from '#data/reading.ts'
import type { RecordData } from '#data/records.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { loaderError, withLoaderErrors } from '#records/shared/loader-errors.ts'
import { addToRecent } from '#records/shared/recent.ts'
import { findByKey, loadIndex, loadPage } from './load-reading.ts'
import { keyOf, type Get } from './read-rows.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const loadReadingIndex = (definition: Definition, request: Request) =>
  withStatus(specifiedPageMessages.listError, () =>
    loadIndex(definition, getWith(request), { query: new URL(request.url).searchParams }),
  )

/** Data of the model's own address, or a redirect to it if its definition has no such page. */
export async function loadServicesAlias(request: Request) {
  await definitionsSettled()
  const definition = publicDefinitionAt('services')
  if (!definition || readingFieldOf(definition) === undefined)
    throw redirectTo(request, '/services')
  return loadReadingIndex(definition, request)
}

/** Redirects from a former address of a service's page. */
export const redirectToService = (request: Request, slug: string) =>
  redirectTo(request, readingPath('services', slug))

/** An id redirects to the address with the record's own key. */
export const loadReadingPage = (definition: Definition, id: string, request: Request) =>
  withStatus(specifiedPageMessages.modelError, async () => {
    const record = await readRecord(definition, id, getWith(request))
    const key = keyOf(definition, record)
    if (key !== id) throw redirectTo(request, readingPath(definition.path, key))
    addToRecent(definition, toVisitor(await currentUser()), String(record['id']))
    return loadPage(definition, getWith(request), record)
  })

/** Staff get the record page: the address with a key redirects to the one with the id. */
export async function redirectToRecord(definition: Definition, id: string, request: Request) {
  if (UUID.test(id)) return
  const row = await findByKey(definition, getWith(request), id).catch(() => undefined)
  const found = row?.['id']
  if (typeof found === 'string' && found !== id)
    throw redirectTo(request, readingPath(definition.path, found))
}

async function readRecord(definition: Definition, id: string, get: Get): Promise<RecordData> {
  const row = UUID.test(id) ? { id } : await findByKey(definition, get, id)
  if (!row) throw new Response(null, { status: 404 })
  return (await get(`${definition.path}/${encodeURIComponent(String(row.id))}`)) as RecordData
}

/** Keeps the query. Replaces an entry that is already in the history: Back must not open it again. */
function redirectTo({ url }: Request, pathname: string) {
  const { pathname: from, search } = new URL(url)
  const to = pathname + search
  const isInHistory = from + search === window.location.pathname + window.location.search
  return isInHistory ? replace(to) : redirect(to)
}

const getWith =
  ({ signal }: Request): Get =>
  (path) =>
    getJson(path, signal)

/** Failures as list and record page report them. */
const withStatus = <T>(message: (status: number) => string, load: () => Promise<T>) =>
  withLoaderErrors(load).catch((reason: unknown) => {
    if (!(reason instanceof Response) || reason.status < 400) throw reason
    throw loaderError(message(reason.status), reason)
  })
