import type { FileLabel } from '@gatehouse/model'
import { useEffect, useState } from 'react'
import { isPicture } from './file-labels.ts'
import { loadFileLinks } from './load-file-links.ts'

/** A picture that was just attached has its previews some seconds later. */
const RETRY_MS = 4_000

type Previews = Record<string, string>

const NONE: Previews = {}

/** Addresses of the small previews by file, with one request for all files of a record, or none if there is no picture. */
export function useSmallPreviews(record: string, files: FileLabel[]): Previews {
  const pictures = files.filter(isPicture).map(({ id }) => id)
  const wanted = pictures.length > 0 ? [record, ...pictures].join(' ') : ''
  const [known, setKnown] = useState({ wanted, previews: NONE })
  useEffect(() => {
    const [ofRecord = '', ...ids] = wanted.split(' ')
    if (ids.length === 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    async function load(isRetry: boolean) {
      const previews = await loadSmall(ofRecord).catch(() => NONE)
      if (isOver) return
      // A picture that is shown stays: its address is another one each time.
      setKnown((now) => ({
        wanted,
        previews: now.wanted === wanted ? { ...previews, ...now.previews } : previews,
      }))
      if (!isRetry && ids.some((id) => !previews[id]))
        timer = setTimeout(() => void load(true), RETRY_MS)
    }
    void load(false)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [wanted])
  return known.wanted === wanted ? known.previews : NONE
}

async function loadSmall(record: string): Promise<Previews> {
  const links = await loadFileLinks(record)
  return Object.fromEntries(
    links.flatMap(({ id, previews }) => (previews ? [[id, previews.small]] : [])),
  )
}
