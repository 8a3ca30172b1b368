import { useEffect, useState } from 'react'
import { Link, useFetcher, useLocation } from 'react-router'
import { detailMessages } from '#messages/detail.ts'
import type { Definition } from '#data/definitions.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { deferJson } from '#records/shared/deferred.ts'

type Around = { previous: string | null; next: string | null }

export const loadNeighbours = ({ path }: Definition, id: string, { url, signal }: Request) =>
  deferJson<Around>(`${path}/${encodeURIComponent(id)}/neighbours${new URL(url).search}`, signal)

/** Query parameters that define a list, without the cursor. */
const LIST_PARAMS = ['sort', 'filter', 'q']

/** The query of the originating list; null on direct entry. */
function useOrigin() {
  const state: unknown = useLocation().state
  const given: unknown = Reflect.get(Object(state), 'list')
  // A save on this page navigates here without that state.
  const [kept, setKept] = useState(given)
  if (given !== undefined && given !== kept) setKept(given)
  return typeof kept === 'string' ? kept : null
}

export function Neighbours({ definition, id }: { definition: Definition; id: string }) {
  const list = useOrigin()
  const query = new URLSearchParams(
    [...new URLSearchParams(list ?? '')].filter(([name]) => LIST_PARAMS.includes(name)),
  )
  const path = `/${definition.path.toLowerCase()}/${id}/neighbours?${query}`
  const { data: around, load } = useFetcher<Around | null>({ key: path })
  const isKnown = list !== null
  // Loaders don't see navigation state, which holds the list.
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
        <RecordIcon name={icon} />
      </Link>
    ) : (
      <button type="button" className="btn btn-quiet btn-icon btn-sm" aria-label={label} disabled>
        <RecordIcon name={icon} />
      </button>
    )
  return (
    <>
      {step(around?.previous, detailMessages.previousRecord, 'chevron-left')}
      {step(around?.next, detailMessages.nextRecord, 'chevron-right')}
    </>
  )
}
