import type { PreviewSize } from './store.ts'

/** Sent to the process that writes previews: local files. */
export type PreviewJob = { source: string; targets: Record<PreviewSize, string> }

/** What it answers: first whether it can read pictures at all, then for each job. */
export type FromPreviews =
  { ready: true } | { unavailable: string } | { written: true } | { unreadable: string }
