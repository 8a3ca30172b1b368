import { useEffect, useState } from 'react'
import { Outlet, useLoaderData, useLocation, useNavigation } from 'react-router'
import { specifiedMessages } from '#messages/specified.ts'
import { definitionAt, firstSegment, isRecordAddress } from '#data/definitions.ts'
import type { loadCounts } from '#records/shared/counts.ts'
import { Busy } from '#ui/status-screen.tsx'
import { ListSkeleton } from './skeleton.tsx'
import { Sidebar } from './sidebar.tsx'

const PENDING_DELAY_MS = 150

export function ModelFrame({ title }: { title: string }) {
  const coming = usePendingView()
  // A document's data has none.
  const data = useLoaderData<{ counts: ReturnType<typeof loadCounts> | null } | null>()
  useEffect(() => data?.counts?.(), [data])
  return (
    <>
      <title>{title}</title>
      <Sidebar />
      {coming?.text && <Busy text={coming.text} />}
      {coming?.list ? <ListSkeleton definition={coming.list} /> : <Outlet />}
    </>
  )
}

function usePendingView() {
  const { pathname } = useLocation()
  const { location } = useNavigation()
  const next = location && location.pathname !== pathname ? location.pathname : null
  const [delayed, setDelayed] = useState<string | null>(null)
  useEffect(() => {
    if (next === null) return
    const timer = setTimeout(() => setDelayed(next), PENDING_DELAY_MS)
    return () => clearTimeout(timer)
  }, [next])
  if (next === null || delayed !== next) return null
  const isList = next.split('/').filter(Boolean).length === 1
  const definition = definitionAt(firstSegment(next))
  if (definition && isList) return { list: definition }
  return {
    text: isRecordAddress(next) ? specifiedMessages.loadingRoute : specifiedMessages.loadingView,
  }
}
