import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Runner } from '#platform/db.ts'
import {
  claimForPreview,
  findWithoutPreview,
  markPreviewed,
  markUnreadable,
  releaseFromPreview,
} from './file-rows.ts'
import { isPicture } from './pictures.ts'
import {
  PreviewKilledError,
  PreviewsDelayedError,
  PreviewsUnavailableError,
  UnreadablePictureError,
  type PreviewProcess,
} from './preview-process.ts'
import { keyOf, PREVIEW_SIZES, previewKeyOf, type FileStore } from './store.ts'
import { syncPath } from './sync-path.ts'

/** A binary that can't be loaded stays so; a process that ended while it started, for want of memory, may do better. */
const UNAVAILABLE_MS = 3_600_000
const DELAYED_MS = 60_000

type Parts = { db: Runner; store: FileStore; incoming: string; process: PreviewProcess }

type Logger = Pick<FastifyBaseLogger, 'warn'>

export type Previews = ReturnType<typeof buildPreviews>

/** Makes the previews of pictures. Each step may be repeated: a killed worker leaves a row that is found again, or a swept file. */
export function buildPreviews({ db, store, incoming, process }: Parts) {
  let unavailableUntil = 0
  let hasWarned = false
  const isUnavailable = () => Date.now() < unavailableUntil
  const listeners: (() => void)[] = []

  async function write(id: string) {
    const source = join(incoming, `${id}.picture`)
    const targets = {
      small: join(incoming, `${id}.small`),
      large: join(incoming, `${id}.large`),
    }
    const remove = () =>
      Promise.all([source, ...Object.values(targets)].map((path) => rm(path, { force: true })))
    await remove()
    try {
      await store.copyTo(keyOf(id), source)
      await process.write({ source, targets })
      for (const size of PREVIEW_SIZES) {
        await syncPath(targets[size])
        await store.put(previewKeyOf(id, size), targets[size])
      }
    } finally {
      await remove()
    }
  }

  return {
    /** Files to make previews of; none on a machine that can't. */
    due: async () => (isUnavailable() ? [] : findWithoutPreview(db)),
    /** Throws if the store fails: that is not the picture's fault, and it is as due as before. */
    async make(id: string, logger: Logger) {
      const state = isUnavailable() ? null : await claimForPreview(db, id)
      if (!state) return
      try {
        await write(id)
        await markPreviewed(db, id)
      } catch (error) {
        if (error instanceof UnreadablePictureError || isMissing(error)) {
          await markUnreadable(db, id)
          logger.warn({ err: error, file: id }, 'failed to read picture; it gets no preview')
        } else if (error instanceof PreviewKilledError) {
          const next = state === 'tried' ? 'retrying once' : 'it gets no preview'
          logger.warn({ err: error, file: id }, `picture ended the process that reads it; ${next}`)
        } else if (error instanceof PreviewsUnavailableError) {
          await releaseFromPreview(db, id)
          if (!hasWarned)
            logger.warn({ err: error }, 'previews can’t be made on this machine; running without')
          hasWarned = true
          unavailableUntil = Date.now() + UNAVAILABLE_MS
        } else if (error instanceof PreviewsDelayedError) {
          await releaseFromPreview(db, id)
          logger.warn({ err: error }, 'process for previews did not start; retrying in a minute')
          unavailableUntil = Date.now() + DELAYED_MS
        } else {
          await releaseFromPreview(db, id)
          throw error
        }
      }
    },
    /** Calls the listener when a picture was uploaded to this process, so that it needn't wait for the next poll. */
    onPicture: (listener: () => void) => listeners.push(listener),
    reportUpload: (type: string) => {
      if (isPicture(type)) for (const listener of listeners) listener()
    },
    stop: process.stop,
  }
}

/** The doctor reports lost bytes; other pictures must not wait for them. */
const isMissing = (error: unknown) =>
  ['ENOENT', 'NoSuchKey'].some((name) => {
    const { code, name: kind } = Object(error) as { code?: unknown; name?: unknown }
    return code === name || kind === name
  })
