import type { Build, SiteInput } from './renderer.ts'

export type PageJob = {
  build: Build
  /** Folder of the build's pages. */
  folder: string
  input: SiteInput
  /** Files made by print.ts, by path. */
  printed: Record<string, string>
  /** Pages that need no records were written before. */
  hasFixed: boolean
  /** Pages whose rendering ended an earlier process; they come last. */
  suspects: string[]
}

/** From the process that renders. */
export type FromPages =
  | { get: string; id: number }
  | { written: 'fixed' | 'indexes' }
  | { rendering: string }
  | { record: string; error: unknown }
  | { done: Progress }
  | { crash: unknown }

/** `rendered`: files with indexes. `waiting`: pages that the next process renders, because the time is up. */
export type Progress = { rendered: number; failed: number; waiting: number }

/** An API response. */
export type Fetched = { status: number; text: string }

/** To it: the job first, then API responses, unparsed: parsing them would take the API's time. */
export type ToPages = { id: number; fetched?: Fetched; error?: unknown }
