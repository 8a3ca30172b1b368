import { useEffect, useState } from 'react'
import { Link, useFetcher, useLocation } from 'react-router'
import { detailMessages } from '#messages/detail.ts'
import type { Definition } from '#data/definitions.ts'
import { Icon } from '#ui/icon.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { readLater } from '#records/record/later.ts'

type Around = { previous: string | null; next: string | null }

export const loadNeighbours = ({ path }: Definition, id: string, { url, signal }: Request) =>
  readLater<Around>(`${path}/${encodeURIComponent(id)}/neighbours${new URL(url).search}`, signal)

/** What decides the order and the contents of a list; where one was in it does not matter here. */
const KEPT = ['sort', 'filter', 'q']

/** The list one came from, as its address said it; null for anyone who came straight here. */
function useOrigin() {
  const state: unknown = useLocation().state
  const given: unknown = Reflect.get(Object(state), 'list')
  // A save on this page leads back to it without the state of the navigation that brought one here.
  const [kept, setKept] = useState(given)
  if (given !== undefined && given !== kept) setKept(given)
  return typeof kept === 'string' ? kept : null
}

/** The records before and after this one, in the list one came from. */
export function Neighbours({ definition, id }: { definition: Definition; id: string }) {
  const list = useOrigin()
  const query = new URLSearchParams(
    [...new URLSearchParams(list ?? '')].filter(([name]) => KEPT.includes(name)),
  )
  const path = `/${definition.path.toLowerCase()}/${id}/neighbours?${query}`
  const { data: around, load } = useFetcher<Around | null>({ key: path })
  const isKnown = list !== null
  // A loader does not see the state of a navigation, where the list stands.
  useEffect(() => {
    if (isKnown) void load(path)
  }, [isKnown, load, path])
  if (!isKnown) return null
  if (around === null)
    return <LoadFailed what={detailMessages.neighbours} onRetry={() => void load(path)} />
  const step = (to: string | null | undefined, label: string, icon: string) =>
    to ? (
      <Link
        className="btn btn-quiet btn-icon btn-sm"
        to={`/${definition.path.toLowerCase()}/${encodeURIComponent(to)}`}
        state={{ list }}
        aria-label={label}
      >
        <Icon name={icon} />
      </Link>
    ) : (
      <button type="button" className="btn btn-quiet btn-icon btn-sm" aria-label={label} disabled>
        <Icon name={icon} />
      </button>
    )
  return (
    <>
      {step(around?.previous, detailMessages.previousRecord, 'chevron-left')}
      {step(around?.next, detailMessages.nextRecord, 'chevron-right')}
    </>
  )
}
