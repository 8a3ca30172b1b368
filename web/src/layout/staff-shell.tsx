import { useEffect } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { useValue } from '#base/store.ts'
import { deskCount } from '#data/desk-count.ts'
import { modelCounts } from '#data/model-counts.ts'
import { writes } from '#data/revalidate.ts'
import { useDefinitions } from './use-definitions.ts'
import '#styles/shell.scss'

export { StaffBar } from './staff-bar.tsx'
export { StaffRail } from './staff-rail.tsx'
export { StatusLine } from './status-line.tsx'

/** Long enough for a page that counts by itself to do so first. */
const AFTER_PAGE_MS = 500

/** Counts after the page has loaded: once, after writes, and on navigation at most every minute. */
export function ShellCounts() {
  const { pathname } = useLocation()
  const isIdle = useNavigation().state === 'idle'
  const written = useValue(writes)
  // Only our own server has counts.
  const hasCounts = useDefinitions().definitions.some(({ trash }) => trash)
  useEffect(() => writes.subscribe(expireCounts), [])
  useEffect(() => {
    if (!isIdle) return
    const timer = setTimeout(() => {
      void deskCount.refresh()
      if (hasCounts) void modelCounts.refresh()
    }, AFTER_PAGE_MS)
    return () => clearTimeout(timer)
  }, [isIdle, pathname, written, hasCounts])
  return null
}

function expireCounts() {
  deskCount.expire()
  modelCounts.expire()
}
