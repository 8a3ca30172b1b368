/** Where bytes are stored. Keys are derived from file IDs, never from what a person typed. */
export type FileStore = {
  /** Moves a local file into the store: all of it or nothing, and durably. */
  put: (key: string, path: string) => Promise<void>
  /** Succeeds if there is nothing. */
  remove: (key: string) => Promise<void>
  /** The internal address at which nginx reads the bytes. */
  locate: (key: string) => Promise<string>
  /** Copies bytes to a new local file. */
  copyTo: (key: string, path: string) => Promise<void>
  /** All keys that begin with `prefix`, in the order of their characters. */
  list: (prefix?: string) => AsyncIterable<StoredBytes>
  /** Whether it keeps what is deleted or overwritten, as a bucket can; null if that is not its task. */
  hasVersions: () => Promise<boolean | null>
}

export type StoredBytes = { key: string; size: number; changedAt: Date }

const LEVEL_DIGITS = 2

/** Folder beside those of the store, for uploads on their way. */
export const INCOMING = 'incoming'

/**
 * Two levels of folders by the last four digits of the ID, which are random: 65,536 folders of 150 files each at ten million.
 * The first digits are a time, and would fill one folder after another.
 */
export function keyOf(id: string) {
  const end = id.slice(-2 * LEVEL_DIGITS)
  return `${end.slice(0, LEVEL_DIGITS)}/${end.slice(LEVEL_DIGITS)}/${id}`
}

/** Longest edge in pixels: in a list, and on a page of its own. */
export const PREVIEW_PX = { small: 320, large: 1_600 } as const

export const PREVIEW_TYPE = 'image/webp'

export type PreviewSize = keyof typeof PREVIEW_PX

export const PREVIEW_SIZES = Object.keys(PREVIEW_PX) as PreviewSize[]

export const previewKeyOf = (id: string, size: PreviewSize) =>
  `${keyOf(id)}.${PREVIEW_PX[size]}.webp`

/** All that is stored of a file. */
export const keysOf = (id: string) => [
  keyOf(id),
  ...PREVIEW_SIZES.map((size) => previewKeyOf(id, size)),
]

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f-])/

/** The file whose bytes, or something derived from them, are stored under this key; null for any other key. */
export function idOf(key: string) {
  const id = ID.exec(key.slice(key.lastIndexOf('/') + 1))?.[0]
  return id && key.startsWith(keyOf(id)) ? id : null
}
