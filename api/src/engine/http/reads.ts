import { formMetadata, type Action, type JsonSchema } from '@gatehouse/model'
import { readableFiles } from '#engine/history/readable-files.ts'
import { describedWithFiles } from '#engine/files/described-files.ts'
import { requireStorage } from './require-storage.ts'
import { LINK_SECONDS, type FileLinks } from '#platform/files/file-links.ts'
import { PREVIEW_PX, PREVIEW_SIZES } from '#platform/files/store.ts'
import { isTooSlow, listTooSlow } from '#platform/errors.ts'
import { contextOf } from '#platform/site-config.ts'
import { callerOf } from '#engine/caller.ts'
import { compiledFor } from '#engine/engine.ts'
import { aboutRecord } from '#engine/history/about.ts'
import { historyOf, readBefore } from '#engine/history/history.ts'
import { listRecords } from '#engine/query/list.ts'
import { readListQuery, readTrash, type ListQuery } from '#engine/query/list-query.ts'
import { neighboursOf } from '#engine/query/neighbours.ts'
import { getRecord, type ReadContext } from '#engine/query/get-record.ts'
import { recordFieldReads, recordListRead, recordRead } from '#engine/security/request-audit.ts'
import {
  requireAccess,
  requireSupported,
  serialiseFor,
  sendRecord,
  type RecordHandler,
  type RecordRequest,
  type ServedModel,
} from './record-handler.ts'

export const list: RecordHandler = (served, request, reply) =>
  readList(served, request, async (context, query) => {
    const page = await listRecords(context, query).catch(toListError)
    recordListRead(readingOf(context, request), query, page.items)
    return serialiseFor(compiledFor(context).list.schema, reply, page)
  })

export const describeForm: RecordHandler = async ({ engine, model, files }, { visitor }) =>
  formMetadata(describedWithFiles(model, files), visitor, contextOf(engine.site))

export const get: RecordHandler = (served, request, reply) =>
  read(served, request, 'get', async (context) => {
    const rows = readTrash(request.query.trash)
    if (rows === 'trash') requireAccess(served, request, 'delete')
    const record = await getRecord({ ...context, rows }, request.params.id)
    return sendRecord({ served, request, reply }, record)
  })

export const history: RecordHandler = (served, request) =>
  read(served, request, 'get', async (context) => {
    const page = await historyOf(context, request.params.id, readBefore(request.query.before))
    const names = page.items.flatMap(({ changes }) => changes.map(({ field }) => field))
    recordFieldReads(readingOf(context, request), request.params.id, names)
    return page
  })

export const about: RecordHandler = (served, request) =>
  read(served, request, 'get', (context) => aboutRecord(context, request.params.id))

export const neighbours: RecordHandler = (served, request) =>
  readList(served, request, async (context, query) => {
    const beside = await neighboursOf(context, request.params.id, query).catch(toListError)
    recordListRead(readingOf(context, request), query, [])
    return beside
  })

/** Links to all files of a record and their previews, each for a minute. A POST, so that nothing stores the answer. */
export const fileLinks: RecordHandler = (served, request) =>
  read(served, request, 'get', async (context) => {
    const { links } = requireStorage(served.files)
    const { record, found } = await readableFiles(context, request.params.id)
    recordRead(readingOf(context, request), record)
    return {
      items: found.map(({ id, hasPreviews }) => ({
        id,
        url: links.urlOf({ id }),
        ...(hasPreviews ? { previews: previewLinks(links, id) } : {}),
      })),
      seconds: LINK_SECONDS,
    }
  })

const previewLinks = (links: FileLinks, id: string) =>
  Object.fromEntries(PREVIEW_SIZES.map((preview) => [preview, links.urlOf({ id, preview })]))

export const FILE_LINKS_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      description: 'Files of the record and of its earlier versions that you may open',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          url: { type: 'string' },
          previews: {
            type: 'object',
            description:
              'Links to smaller copies of a picture, as WebP; absent until there are some',
            properties: Object.fromEntries(
              PREVIEW_SIZES.map((size) => [
                size,
                { type: 'string', description: `At most ${PREVIEW_PX[size]} pixels wide and high` },
              ]),
            ),
            required: PREVIEW_SIZES,
          },
        },
        required: ['id', 'url'],
      },
    },
    seconds: { type: 'integer', description: 'How long each link opens its file' },
  },
  required: ['items', 'seconds'],
}

const readingOf = ({ model, caller }: ReadContext, request: RecordRequest) => ({
  request,
  model,
  level: caller.level,
})

async function read<T>(
  served: ServedModel,
  request: RecordRequest,
  action: Action,
  run: (context: ReadContext) => Promise<T>,
) {
  const { engine, model } = served
  requireSupported(model, action)
  const caller = await callerOf(engine, request.visitor)
  return run({ engine, tx: engine.db, model, caller })
}

const readList = <T>(
  served: ServedModel,
  request: RecordRequest,
  run: (context: ReadContext, query: ListQuery) => Promise<T>,
) =>
  read(served, request, 'list', async (context) => {
    const query = readListQuery(request.query, context)
    if (query.rows === 'trash') requireAccess(served, request, 'delete')
    return run(context, query)
  })

/** A slow list can be narrowed, so it gets its own error; other slow statements are only worth a retry. */
function toListError(error: unknown): never {
  throw isTooSlow(error) ? listTooSlow() : error
}
