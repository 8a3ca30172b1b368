import { PAGE_SIZE } from '@gatehouse/model'
import { useLayoutEffect, useRef } from 'react'
import type { ListParam } from '#base/list-params.ts'
import type { Definition } from '#data/definitions.ts'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { savePreferences } from './preferences.ts'

export const PAGE_SIZES = [10, 25, 50, 100]

export type ListChange = Partial<Record<ListParam, string | null>>

/** Parameters that invalidate the cursor. */
const OTHER_LIST: ListParam[] = ['q', 'filter', 'sort', 'limit', 'trash']
const OF_THE_PAGE = ['after', 'before', 'total']
/** One-time instructions. */
const MESSAGES = ['toast', 'modal']
const PREFERENCES = ['columns', 'limit', 'density'] as const

/** The query after a change: `?…`, or empty. */
export function withChange(search: string, change: ListChange) {
  const query = new URLSearchParams(search)
  const isOtherList = OTHER_LIST.some((name) => name in change)
  for (const name of [...MESSAGES, ...(isOtherList ? OF_THE_PAGE : [])]) query.delete(name)
  for (const [name, value] of Object.entries(change))
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  return query.size > 0 ? `?${query}` : ''
}

export function withCursor(search: string, name: 'after' | 'before', cursor: string) {
  const query = new URLSearchParams(search)
  for (const one of [...MESSAGES, 'after', 'before']) query.delete(one)
  query.set(name, cursor)
  return `?${query}`
}

/** Includes a pending navigation. */
export function useListQuery(definition: Definition) {
  const location = useLocation()
  const navigation = useNavigation()
  const navigate = useNavigate()
  const coming = navigation.location?.pathname === location.pathname ? navigation.location : null
  const { search } = coming ?? location
  const query = new URLSearchParams(search)
  // Read at call time: a debounced or immediately following change may be newer than the render.
  const latest = useRef(search)
  useLayoutEffect(() => {
    latest.current = search
  })
  return {
    search,
    isPending: coming !== null,
    q: query.get('q') ?? '',
    filter: query.get('filter'),
    sort: query.get('sort'),
    columns: query.get('columns')?.split(',').filter(Boolean) ?? null,
    limit: Number(query.get('limit') ?? PAGE_SIZE),
    isCompact: query.get('density') === 'compact',
    isTrash: query.get('trash') === 'true',
    change(change: ListChange, { replace = false } = {}) {
      const next = withChange(latest.current, change)
      latest.current = next
      if (PREFERENCES.some((name) => name in change)) void savePreferences(definition, next)
      void navigate({ search: next }, { replace, preventScrollReset: true })
    },
  }
}

export type ListQuery = ReturnType<typeof useListQuery>
