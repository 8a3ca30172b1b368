import type { JsonSchema } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Change } from '#audit.ts'
import type { Row } from '#db.ts'
import { conflict, forbidden, operationNotFound, signInRequired } from '#errors.ts'
import { refuseOthers } from '#methods.ts'
import {
  checkDeleteOnly,
  checkUnused,
  findLocked,
  putInTrash,
  save,
  takeOutOfTrash,
  type Changing,
} from './change.ts'
import { runChange, type ChangeOptions, type Operating } from './changing.ts'
import { SERVER, tableOf } from './engine.ts'
import { isUuid } from './filter.ts'
import { requireParents } from './input.ts'
import { canUndo, stepsOf, UNDOING, type OperationStep } from './operation.ts'
import { peopleOf } from './people.ts'
import { withTrash } from './read.ts'

const URL = '/api/operations/:id/undo'

/** What an operation did, taken back as a whole; an operation itself, so that it can be undone in turn. */
export function undoRoutes(app: FastifyInstance, options: ChangeOptions) {
  app.post<{ Params: { id: string } }>(URL, async (request, reply) => {
    if (!request.visitor) throw signInRequired()
    const answer = await runChange(options, request, (operating) =>
      undo(operating, request.params.id),
    )
    reply.header('operation-id', answer.operation)
    return answer
  })

  refuseOthers(app, URL, ['POST'], 'POST')
}

export const UNDONE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    operation: { type: 'string', format: 'uuid', description: 'Undo this to have it back' },
    undone: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          model: { type: 'string' },
          id: { type: 'string', format: 'uuid' },
          action: { type: 'string', enum: ['update', 'delete', 'restore'] },
        },
        required: ['model', 'id', 'action'],
      },
    },
  },
  required: ['operation', 'undone'],
}

/** One step of an operation, and the change that takes it back. */
type Undoing = { step: OperationStep; changing: Changing }

async function undo(operating: Operating, operation: string) {
  const all = await findSteps(operating, operation)
  requireRights(operating, all)
  for (const undoing of newestOfEach(all)) await requireUntouched(undoing)
  for (const undoing of all) await takeBack(undoing)
  for (const undoing of newestOfEach(all)) await requireWhole(undoing)
  return {
    operation: operating.operationId,
    undone: all.map(({ step: { model, recordId, action } }) => ({
      model: model.path,
      id: recordId,
      action: UNDOING[action].by,
    })),
  }
}

/** Newest first. One that is unknown, one of somebody else and one on what was not theirs to see are the same 404. */
async function findSteps(operating: Operating, operation: string): Promise<Undoing[]> {
  const { caller, actor } = operating
  const steps = isUuid(operation) ? await stepsOf(operating, [operation]) : []
  const isTheirs =
    caller.level === 'admin' || steps.every((step) => step.actorRef === actor.ref && step.isVisible)
  if (steps.length === 0 || !isTheirs) throw operationNotFound()
  return steps.map((step) => ({ step, changing: { ...operating, model: step.model } }))
}

function requireRights({ caller }: Operating, all: Undoing[]) {
  const steps = all.map(({ step }) => step)
  if (steps.some(({ model, action }) => model.without.includes(UNDOING[action].needs)))
    throw conflict('not-undoable', 'This can not be undone')
  if (!canUndo(steps, caller)) throw forbidden()
}

/** A record may be changed more than once by one operation: the last of its versions is the one that must still be. */
const newestOfEach = (all: Undoing[]) =>
  all.filter(
    ({ step }, place) => all.findIndex((other) => other.step.recordId === step.recordId) === place,
  )

async function requireUntouched({ step, changing }: Undoing) {
  const row = await findLocked({ ...changing, ...withTrash(changing) }, step.recordId)
  if (!row) throw operationNotFound()
  if (Number(row['version']) === step.version) return
  const who = await whoChanged(changing, row)
  throw conflict('changed-since', `This can not be undone: ${who} changed the record since`)
}

async function whoChanged(changing: Changing, row: Row) {
  const [last] = await changing.tx.query(
    sql`select updated_by_ref from ${tableOf(changing.engine, changing.model)} where id = ${row['id']}`,
  )
  const { name, isYou } = (await peopleOf(changing, [last?.['updated_by_ref']]))(
    last?.['updated_by_ref'],
  )
  return isYou ? 'you have' : `${name ?? 'someone'} has`
}

async function takeBack({ step, changing }: Undoing) {
  const row = await findLocked(asServer(changing), step.recordId)
  if (!row) throw operationNotFound()
  await TAKE_BACK[step.action](changing, row, step)
}

const asServer = (changing: Changing): Changing => ({ ...changing, caller: SERVER, rows: 'any' })

type TakeBack = (changing: Changing, row: Row, step: OperationStep) => Promise<unknown>

/** The values as they were, computed and hidden ones too: nothing is worked out anew. */
const TAKE_BACK: Record<Change['action'], TakeBack> = {
  async create(changing, row) {
    await checkDeleteOnly(changing, String(row['id']))
    await putInTrash(changing, row, { isUnconditional: false })
  },
  update: (changing, row, { before }) => save(changing, row, { ...row, ...before }, false),
  delete: (changing, row) => takeOutOfTrash(changing, row, false),
  restore: (changing, row, { before }) =>
    putInTrash(changing, row, { since: String(before?.['deletedAt']), isUnconditional: false }),
}

/** Asked when all is taken back, because what an operation did together hangs together. */
async function requireWhole({ step, changing }: Undoing) {
  const row = await findLocked(asServer(changing), step.recordId)
  if (row?.['deletedAt'] === null) await requireParents({ ...changing, caller: SERVER }, row)
  else await checkUnused(changing, step.recordId, ['restrict', 'cascade'])
}
