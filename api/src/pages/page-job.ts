import type { Build, SiteInput } from './renderer.ts'

/** In this order. `fixed` needs no records; `indexes` are lists of records; `records` are their pages. */
export type Part = 'fixed' | 'indexes' | 'records'

export type PageJob = {
  parts: Part[]
  build: Build
  /** Folder of the build's pages. */
  folder: string
  input: SiteInput
  /** Files made by print.ts, by path. */
  printed: Record<string, string>
}

/** From the process that renders. */
export type FromPages =
  | { get: string; id: number }
  | { written: Part; count: number }
  | { record: string; error: unknown }
  | { crash: unknown }

/** To it: the job first, then responses of the API. */
export type ToPages = { id: number; value?: unknown; error?: unknown }
