import { canAccess, readAccess, type Action, type Visitor } from '@gatehouse/model'
import { callApi } from './client.ts'
import { isReserved, readConfigIfTaken, reservePaths } from '#auth/reserved-paths.ts'
import { currentUser } from '#auth/session.ts'
import { siteMessages } from '#messages/site.ts'
import { asObject } from './field.ts'
import { readDefinition, type Definition } from './read-definition.ts'
import { hashOf } from '#base/hash.ts'
import { session } from '#base/storage.ts'
import { buildValue } from '#base/observable.ts'
import { findPart } from '#base/site-data.ts'

export type { Definition }

type State = {
  definitions: Definition[]
  mistakes: string[]
  hasFailed: boolean
  isLoaded: boolean
}

const KEY = 'dynamicRoutes'
/** Hash of our own value: any other value under KEY was written by others and is used unchanged. */
const HASH_KEY = 'dynamicRoutesHash'
/** The `sub` our copy belongs to; empty when signed out. */
const SUB_KEY = 'dynamicRoutesSub'

/** Retry delays: first, second, every later one. */
const RETRY_DELAYS_S = [5, 15, 30]

/** Definitions of public models, in every document: enough for the menu and for reading pages. */
const documentDefinitions = toDefinitions(findPart('site')?.models ?? []).definitions

export const definitionsState = buildValue<State>({
  definitions: documentDefinitions,
  mistakes: [],
  hasFailed: false,
  isLoaded: false,
})
let queue: Promise<void> = Promise.resolve()
let failures = 0
let retryTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Fills `dynamicRoutes` from the API unless present, and reads it. Never rejects: see `hasFailed`. Fixed paths, and those of the
 * product's own pages if enabled, are reserved.
 */
export function loadDefinitions(
  fixedPaths: readonly string[],
  productPaths: readonly string[] = [],
) {
  reservePaths(fixedPaths, productPaths)
  window.addEventListener('online', retryIfVisible)
  document.addEventListener('visibilitychange', retryIfVisible)
  return enqueue(readOrFill)
}

async function readOrFill() {
  const raw = session.get(KEY)
  // The page may have been closed during sign-out, before the copy was refreshed.
  const isForUs = session.get(SUB_KEY) === (await currentSub())
  return raw !== null && (isForUs || !(await isOurs(raw))) ? raw : fill(raw)
}

/** After a sign-in or sign-out: our copy belongs to another account. */
export const refreshDefinitions = () =>
  enqueue(async () => {
    const raw = session.get(KEY)
    if (raw !== null && !(await isOurs(raw))) return null
    session.remove(KEY)
    return fill(null)
  })

/** Retries after a failure, by button or timer. Loaded definitions are kept. */
export const retryDefinitions = () =>
  definitionsState.get().hasFailed ? enqueue(readOrFill) : queue

/** Hidden tabs retry when they become visible. */
function retryIfVisible() {
  if (document.visibilityState === 'visible') void retryDefinitions()
}

/** Awaits pending loads: a page opened right after sign-in must use its user's definitions. */
export const definitionsSettled = () => queue

export const definitionAt = (path: string) =>
  findDefinition(definitionsState.get().definitions, path)

/** For reading pages, which are drawn without the API too. */
export const publicDefinitionAt = (path: string) =>
  findDefinition(menuDefinitions(definitionsState.get()), path)

const findDefinition = (definitions: Definition[], path: string) =>
  definitions.find((one) => one.path.toLowerCase() === path.toLowerCase())

/** For the menu: links to public pages work without the API. */
export const menuDefinitions = ({ definitions, hasFailed }: State) =>
  hasFailed ? documentDefinitions : definitions

export function firstSegment(pathname: string) {
  const segment = pathname.split('/')[1]?.toLowerCase() ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** True of a record path, and of any possible one until the models are loaded. */
export function isRecordAddress(pathname: string) {
  const segment = firstSegment(pathname)
  if (segment === '' || isReserved(segment)) return false
  const { isLoaded, hasFailed } = definitionsState.get()
  return !isLoaded || hasFailed || definitionAt(segment) !== undefined
}

export function isOfUnknownModel() {
  if (typeof window === 'undefined') return false
  const { isLoaded, hasFailed } = definitionsState.get()
  return (!isLoaded || hasFailed) && isRecordAddress(window.location.pathname)
}

export const nameOf = ({ name, viewData, routeName }: Definition) =>
  name || viewData.title || routeName

/** Decides what menu, guard and buttons show; the API enforces. */
export const canDo = (definition: Definition, action: Action, visitor: Visitor) =>
  !definition.without?.includes(action) &&
  canAccess(readAccess(definition.authorise, action, definition.owner), visitor)

/** A separate right; a missing flag denies it. */
export const canPurge = ({ authorise, owner }: Definition, visitor: Visitor) =>
  Object.hasOwn(Object(authorise), 'purge') &&
  canAccess(readAccess(authorise, 'purge', owner), visitor)

/** Serialised: a signed-out response must not overtake the one of a fresh sign-in. */
function enqueue(read: () => Promise<string | null>) {
  clearTimeout(retryTimer)
  queue = queue.then(async () => {
    try {
      const raw = await read()
      if (raw === null) return
      await readConfigIfTaken(pathsIn(raw))
      definitionsState.set({ ...readDefinitions(raw), hasFailed: false, isLoaded: true })
      failures = 0
    } catch {
      definitionsState.set({ definitions: [], mistakes: [], hasFailed: true, isLoaded: true })
      retryLater()
    }
  })
  return queue
}

function retryLater() {
  const seconds = RETRY_DELAYS_S[failures] ?? RETRY_DELAYS_S.at(-1) ?? 0
  failures += 1
  clearTimeout(retryTimer)
  retryTimer = setTimeout(retryIfVisible, seconds * 1000)
}

const currentSub = async () => (await currentUser())?.profile.sub ?? ''
const isOurs = async (raw: string) => (await hashOf(raw)) === session.get(HASH_KEY)

/** `before` is the value at the start: values that others write during the request are not overwritten. */
async function fill(before: string | null) {
  const sub = await currentSub()
  const response = await callApi('models')
  if (!response.ok) throw new Error(`models: ${response.status}`)
  const raw = await response.text()
  // An unreadable response must not be stored.
  readDefinitions(raw)
  const hash = await hashOf(raw)
  const now = session.get(KEY)
  if (now !== null && now !== before) return now
  session.set(KEY, raw)
  session.set(HASH_KEY, hash)
  session.set(SUB_KEY, sub)
  return raw
}

const pathsIn = (raw: string) =>
  [JSON.parse(raw)].flat().map((one) => String(asObject(one)['path']).toLowerCase())

export function readDefinitions(raw: string) {
  const list: unknown = JSON.parse(raw)
  if (!Array.isArray(list)) throw new Error(`${KEY} is not a list`)
  return toDefinitions(list)
}

function toDefinitions(list: unknown[]) {
  const definitions: Definition[] = []
  const errors: string[] = []
  for (const one of list) {
    try {
      const definition = readDefinition(one)
      requireFreeAddress(definition, definitions)
      definitions.push(definition)
    } catch (error) {
      errors.push(error instanceof Error ? error.message : '')
    }
  }
  return { definitions, mistakes: errors }
}

function requireFreeAddress({ path }: Definition, others: Definition[]) {
  const address = path.toLowerCase()
  if (isReserved(address)) throw new Error(siteMessages.addressReserved(address))
  if (others.some((one) => one.path.toLowerCase() === address))
    throw new Error(siteMessages.addressTaken(address))
}
