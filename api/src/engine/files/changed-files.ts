import { fieldMessages, fieldOf, isFile, type Model } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import type { Row, Runner } from '#platform/db.ts'
import { invalidRecord, type FieldError } from '#platform/errors.ts'
import { files, type FileStage } from '#platform/files/file-tables.ts'

/** Files that a change adds to a field, and those it takes out. */
export type FileChange = { field: string; added: string[]; removed: string[] }

type Diff = { model: Model; names: string[]; before: Row | null; after: Row }

export const fileChangesOf = ({ model, names, before, after }: Diff): FileChange[] =>
  names
    .filter((name) => isFile(fieldOf(model, name)))
    .map((field) => {
      const [was, is] = [idsIn(before?.[field]), idsIn(after[field])]
      return {
        field,
        added: is.filter((id) => !was.includes(id)),
        removed: was.filter((id) => !is.includes(id)),
      }
    })
    .filter(({ added, removed }) => added.length + removed.length > 0)

const idsIn = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

type Claim = {
  model: Model
  /** Null for the input of an action, which belongs to no record yet. */
  recordId: string | null
  changes: FileChange[]
  actorRef: string | null
  /** Files that this operation has taken out of other records: the server moves them. */
  moved: ReadonlySet<string>
}

type LockedFile = {
  id: string
  type: string
  size: number
  stage: FileStage
  ownerRef: string | null
  recordId: string | null
  field: string | null
}

/**
 * Locks the files to be added, in id order, and throws at the field of one that may not be: only the actor's own staged files,
 * those that this field of the record had before, and moved ones.
 */
export async function lockAddedFiles(tx: Runner, claim: Claim) {
  const ids = claim.changes.flatMap(({ added }) => added)
  if (ids.length === 0) return
  const rows = await tx.query(
    sql<LockedFile>`select id, type, size, stage, owner_ref as "ownerRef", record_id as "recordId", field from ${files}
      where id = any(${sql.param(ids)}::uuid[]) order by id for update`,
    'prepared',
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  const wrong = claim.changes.filter(
    ({ field, added }) =>
      new Set(added).size < added.length ||
      added.some((id) => !mayBeAdded(claim, field, found.get(id))),
  )
  if (wrong.length > 0 || new Set(ids).size < ids.length)
    throw invalidRecord(
      (wrong.length > 0 ? wrong : claim.changes).map(({ field }) => ({
        field,
        message: fieldMessages.fileNotFound(fieldOf(claim.model, field)?.label ?? field),
      })),
    )
  const misfits = claim.changes.flatMap(({ field, added }) =>
    added.flatMap((id) => misfitsOf(claim.model, field, found.get(id))),
  )
  if (misfits.length > 0) throw invalidRecord(misfits)
}

/** What the field accepts is judged by the file's content, not by its name. */
function misfitsOf(model: Model, name: string, file: LockedFile | undefined): FieldError[] {
  const field = fieldOf(model, name)
  if (!field || !file) return []
  const { label, accept, maxBytes } = field
  if (accept && !accept.some((pattern) => isOfType(file.type, pattern)))
    return [{ field: name, message: fieldMessages.fileType(label, accept) }]
  if (maxBytes !== undefined && file.size > maxBytes)
    return [{ field: name, message: fieldMessages.fileSize(label, maxBytes) }]
  return []
}

const isOfType = (type: string, pattern: string) =>
  pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern

function mayBeAdded(claim: Claim, field: string, file: LockedFile | undefined) {
  if (file?.stage === 'staged') return file.ownerRef === claim.actorRef
  if (file?.stage !== 'removed') return false
  const isBack = claim.recordId !== null && file.recordId === claim.recordId
  return (isBack && file.field === field) || claim.moved.has(file.id)
}

type Written = { name: SQL; written: SQL; model: SQL; recordId: SQL; field: SQL; ids: SQL }

/** Part of the statement that writes the record: its locked files become attached. */
export const attachCte = ({ name, written, model, recordId, field, ids }: Written) =>
  sql`${name} as (update ${files} set stage = 'attached', model = ${model}, record_id = ${recordId}, field = ${field},
    changed_at = now() from ${written} where ${files.id} = any(${ids}::uuid[]) and ${files.stage} in ('staged', 'removed')
    returning 1)`

/** Part of the same statement: what left the field is removed, and stays until the sweep. */
export const removeCte = ({ name, written, recordId, field, ids }: Written) =>
  sql`${name} as (update ${files} set stage = 'removed', changed_at = now() from ${written}
    where ${files.id} = any(${ids}::uuid[]) and ${files.stage} = 'attached' and ${files.recordId} = ${recordId}
      and ${files.field} = ${field} returning 1)`
