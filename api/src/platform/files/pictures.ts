import { sql } from 'drizzle-orm'

/** Types a browser shows as pictures and never runs. */
const PICTURE_TYPES = ['png', 'jpeg', 'gif', 'webp', 'avif'].map((name) => `image/${name}`)

export const isPicture = (type: string) => PICTURE_TYPES.includes(type)

/** Only pictures up to this size get previews: a copy of the file is on the disk meanwhile. */
const PREVIEWED_MAX_BYTES = 100_000_000

const listed = PICTURE_TYPES.map((type) => `'${type}'`).join(', ')

/** Pictures that may get their previews. Part of an index, so queries must contain it as it is. */
export const IS_WITHOUT_PREVIEW = sql.raw(
  [
    "(preview is null or preview = 'tried')",
    "stage in ('staged', 'attached')",
    "verdict in ('none', 'clean')",
    `size <= ${PREVIEWED_MAX_BYTES}`,
    `type in (${listed})`,
  ].join(' and '),
)
