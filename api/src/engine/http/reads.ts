import { formMetadata, type Action } from '@gatehouse/model'
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
import { recordFieldReads, recordListRead } from '#engine/security/request-audit.ts'
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

export const describeForm: RecordHandler = async ({ engine, model }, { visitor }) =>
  formMetadata(model, visitor, contextOf(engine.site))

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
