import { NO_PERSON } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { bigint, check, index, text, uuid } from 'drizzle-orm/pg-core'
import { defineTable, instant } from '#platform/define-table.ts'
import { IS_WITHOUT_PREVIEW } from './pictures.ts'

const FILE = {
  label: 'Name and type of a file you or our staff attached to a record',
  category: 'communication',
  purposes: ['enquiries', 'delivery'],
  retention: 'relationship',
  source: 'you',
} as const

/**
 * `uploading`: its bytes are on their way. `staged`: uploaded, in no record yet. `attached`: a record names it. `removed`: it
 * left its record, which may name it again by an undo. `deleting`: the sweep deletes its bytes, then the row.
 */
export type FileStage = 'uploading' | 'staged' | 'attached' | 'removed' | 'deleting'

/** `none`: no scanner was configured when it arrived. `unchecked`: the scanner has not judged it yet. */
export type Verdict = 'none' | 'unchecked' | 'clean' | 'infected'

/** `tried`: an attempt has begun, and may be repeated once. `failed`: there will be none. */
export type PreviewState = 'tried' | 'ready' | 'failed'

/** One row per file; it exists before the bytes and after them, so that no bytes are without a row. */
export const files = defineTable(
  'files',
  {
    id: uuid('id').primaryKey(),
    /** Who uploaded it; null for the system. */
    ownerRef: uuid('owner_ref'),
    name: text('name').notNull(),
    /** Media type, by content. */
    type: text('type').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    sha256: text('sha256'),
    stage: text('stage').$type<FileStage>().notNull(),
    verdict: text('verdict').$type<Verdict>().notNull(),
    /** Time of the last request to the scanner. */
    checkedAt: instant('checked_at'),
    /** Null until an attempt to make its previews. */
    preview: text('preview').$type<PreviewState>(),
    /** The record that names it, or named it last. */
    model: text('model'),
    recordId: uuid('record_id'),
    field: text('field'),
    /** Since when it is in this stage. */
    changedAt: instant('changed_at').notNull().defaultNow(),
  },
  {
    holds: {
      id: NO_PERSON,
      ownerRef: {
        label: 'Who attached a file, by a reference without a name',
        category: 'technical',
        purposes: ['security'],
        retention: 'relationship',
        source: 'system',
      },
      name: FILE,
      type: FILE,
      size: NO_PERSON,
      sha256: {
        label: 'Checksum of a file, to notice damage',
        category: 'technical',
        purposes: ['security'],
        retention: 'relationship',
        source: 'system',
      },
      stage: NO_PERSON,
      verdict: NO_PERSON,
      checkedAt: NO_PERSON,
      preview: NO_PERSON,
      model: NO_PERSON,
      recordId: NO_PERSON,
      field: NO_PERSON,
      changedAt: NO_PERSON,
    },
    by: 'record',
    erase: 'row',
    // Staged and removed files are swept with their bytes: jobs/sweep-files.ts.
    expires: null,
  },
  (t) => [
    check('files_attached', sql`(${t.stage} <> 'attached') or (${t.recordId} is not null)`),
    index('files_record_index')
      .on(t.recordId)
      .where(sql`${t.recordId} is not null`),
    // What one person has uploaded and attached to nothing.
    index('files_waiting_index')
      .on(t.ownerRef, t.size)
      .where(sql`${t.stage} in ('uploading', 'staged')`),
    index('files_due_index')
      .on(t.changedAt)
      .where(sql`${t.stage} <> 'attached'`),
    index('files_verdict_index')
      .on(t.checkedAt)
      .where(sql`${t.verdict} in ('unchecked', 'infected')`),
    index('files_preview_index').on(t.changedAt).where(IS_WITHOUT_PREVIEW),
  ],
)
