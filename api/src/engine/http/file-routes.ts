import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problemMessages } from '@gatehouse/model'
import type { Engine } from '#engine/engine.ts'
import { countWrite } from '#engine/write/write-quota.ts'
import type { Limits } from '#platform/env.ts'
import { badRequest, HttpError, recordNotFound } from '#platform/errors.ts'
import { downloadHeaders } from '#platform/files/file-name.ts'
import { findReadable } from '#platform/files/file-rows.ts'
import type { Files } from '#platform/files/open-files.ts'
import { keyOf, PREVIEW_TYPE, previewKeyOf } from '#platform/files/store.ts'
import { buildUploadSlots } from '#platform/files/upload-slots.ts'
import { PUBLIC, USER } from '#platform/http/access-level.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import { requireStorage } from './require-storage.ts'
import { isUuid } from '#platform/uuid.ts'

const URL = '/api/files'
const FILE_URL = `${URL}/:id`

const SLOTS = { slots: 64, slotsPerAccount: 4, waitingPerAccount: 200, waitMs: 120_000 }
const SILENCE_MS = 15_000
/** Above every setting: the upload itself compares the length with the limit of the installation. */
const FILE_LIMIT_BYTES = 2_000_000_000

type Options = {
  engine: Engine
  limits: Pick<Limits, 'writesPerMinute'>
  files: Files | null
}

type Download = { Params: { id: string }; Querystring: Record<string, unknown> }

/** Upload of a file by itself, before a record names it, and download by a signed link. */
export function fileRoutes(app: FastifyInstance, options: Options) {
  app.register((plugin, _options, done) => {
    uploadRoute(plugin, options)
    done()
  })
  downloadRoute(app, options)
  refuseOtherMethods(app, URL, ['POST'], 'POST')
  refuseOtherMethods(app, FILE_URL, ['GET', 'HEAD'], 'GET, HEAD')
}

function uploadRoute(app: FastifyInstance, { engine, limits, files }: Options) {
  const slots = buildUploadSlots(SLOTS)
  // The handler reads the body itself, so that no file is in memory.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.post(
    URL,
    { config: { needs: USER, isStream: true }, bodyLimit: FILE_LIMIT_BYTES },
    async (request, reply) => {
      const { uploads } = requireStorage(files)
      const { name, length } = readHeaders(request)
      const { actor } = await countWrite(engine, request, limits.writesPerMinute)
      // A waiting upload is silent because of us.
      request.raw.socket.setTimeout(0)
      const release = await slots.acquire(request.caller, closed(request))
      request.raw.socket.setTimeout(SILENCE_MS)
      // Scanner and store take longer, and the sender has nothing left to say.
      request.raw.once('end', () => request.raw.socket.setTimeout(0))
      try {
        const file = await uploads.upload({ body: request.raw, name, length, ownerRef: actor.ref })
        return await reply.code(201).send(file)
      } finally {
        release()
      }
    },
  )
}

function closed({ raw }: FastifyRequest) {
  const controller = new AbortController()
  raw.once('close', () => controller.abort(badRequest(problemMessages.malformed)))
  return controller.signal
}

function readHeaders({ headers }: FastifyRequest) {
  // Here, not in the parser, which runs before the sign-in is checked.
  if (!/^application\/octet-stream *(;|$)/i.test(headers['content-type'] ?? ''))
    throw new HttpError(415, 'unsupported-media-type', problemMessages.notBytes)
  const length = headers['content-length']
  if (length === undefined)
    throw new HttpError(411, 'length-required', problemMessages.lengthRequired)
  return { length: Number(length), name: decodeName(headers['x-file-name']) }
}

/** Percent-encoded, because header values are bytes. */
function decodeName(sent: string | string[] | undefined) {
  try {
    return decodeURIComponent(String(sent ?? ''))
  } catch {
    throw badRequest(problemMessages.malformed)
  }
}

/** Headers of every byte served: nothing in a file runs, and no other site embeds it. */
const FILE_HEADERS = {
  'content-security-policy':
    "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  'cache-control': 'private, max-age=60',
}

/** The link is the right: it was signed for somebody who may see the record. nginx sends the bytes. */
function downloadRoute(app: FastifyInstance, { engine, files }: Options) {
  app.get<Download>(FILE_URL, { config: { needs: PUBLIC } }, async ({ params, query }, reply) => {
    const { links, store } = requireStorage(files)
    const linked = isUuid(params.id) ? links.verify(params.id, query) : null
    const file = linked && (await findReadable(engine.db, linked.id))
    if (!file || (linked.preview && !file.hasPreviews)) throw recordNotFound()
    const { key, type, name } = linked.preview
      ? {
          key: previewKeyOf(linked.id, linked.preview),
          type: PREVIEW_TYPE,
          name: `${file.name}.webp`,
        }
      : { key: keyOf(linked.id), type: file.type, name: file.name }
    return reply
      .headers({ ...FILE_HEADERS, ...downloadHeaders({ name, type }) })
      .header('x-accel-redirect', await store.locate(key))
      .send()
  })
}
