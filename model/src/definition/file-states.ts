/**
 * What a reader may do with a file. `ready`: open it. `unchecked`: wait, because the virus scanner has not judged it yet.
 * `infected`: nothing. `gone`: nothing, because it was deleted after the record's version.
 */
export const FILE_STATES = ['ready', 'unchecked', 'infected', 'gone'] as const
export type FileState = (typeof FILE_STATES)[number]

/** A file as records show it. */
export type FileLabel = {
  id: string
  name: string
  /** Media type, by content. */
  type: string
  /** Bytes. */
  size: number
  state: FileState
}
