import { PAGE_SIZE } from '@gatehouse/model'
import { useLayoutEffect, useRef } from 'react'
import type { Definition } from '#data/definitions.ts'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { remember } from './preferences.ts'

export const PAGE_SIZES = [10, 25, 50, 100]

/** What of a list stands in its address. */
type Name = 'q' | 'filter' | 'sort' | 'columns' | 'limit' | 'density' | 'trash' | 'total'
export type Change = Partial<Record<Name, string | null>>

/** A page of one list is no page of another: with these the cursor goes. */
const OTHER_LIST: Name[] = ['q', 'filter', 'sort', 'limit', 'trash']
const OF_THE_PAGE = ['after', 'before', 'total']
/** Messages are shown once. */
const MESSAGES = ['toast', 'modal']
/** What is remembered for anyone who is signed in. */
const REMEMBERED = ['columns', 'limit', 'density'] as const

/** The address of the list after a change: `?…`, or nothing. */
export function changed(search: string, change: Change) {
  const query = new URLSearchParams(search)
  const isOtherList = OTHER_LIST.some((name) => name in change)
  for (const name of [...MESSAGES, ...(isOtherList ? OF_THE_PAGE : [])]) query.delete(name)
  for (const [name, value] of Object.entries(change))
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  return query.size > 0 ? `?${query}` : ''
}

/** The address of a neighbouring page. */
export function turned(search: string, name: 'after' | 'before', cursor: string) {
  const query = new URLSearchParams(search)
  for (const one of [...MESSAGES, 'after', 'before']) query.delete(one)
  query.set(name, cursor)
  return `?${query}`
}

/** What the address asks for, and the way to ask for something else. What is on its way counts as asked. */
export function useListQuery(definition: Definition) {
  const location = useLocation()
  const navigation = useNavigation()
  const navigate = useNavigate()
  const coming = navigation.location?.pathname === location.pathname ? navigation.location : null
  const { search } = coming ?? location
  const query = new URLSearchParams(search)
  // A change may be made later than the render it was offered by: debounced, or right after another one.
  const latest = useRef(search)
  useLayoutEffect(() => {
    latest.current = search
  })
  return {
    search,
    isOnItsWay: coming !== null,
    q: query.get('q') ?? '',
    filter: query.get('filter'),
    sort: query.get('sort'),
    columns: query.get('columns')?.split(',').filter(Boolean) ?? null,
    limit: Number(query.get('limit') ?? PAGE_SIZE),
    isCompact: query.get('density') === 'compact',
    isTrash: query.get('trash') === 'true',
    change(change: Change, { replace = false } = {}) {
      const next = changed(latest.current, change)
      latest.current = next
      if (REMEMBERED.some((name) => name in change)) void remember(definition, next)
      void navigate({ search: next }, { replace, preventScrollReset: true })
    },
  }
}

export type ListQuery = ReturnType<typeof useListQuery>
