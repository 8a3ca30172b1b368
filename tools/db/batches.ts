import { name, quote } from './sql-values.ts'

const BATCH_ROWS = 1_000

type Update = { table: string; set: string; where: string }

/** Updates rows by id, in transactions of their own: a lock lasts as long as a batch, and what is done stays done. */
export const inBatches = ({ table, set, where }: Update) => `DO $$
DECLARE
  last_id uuid := '00000000-0000-0000-0000-000000000000';
  batch_end uuid;
BEGIN
  LOOP
    SELECT id INTO batch_end FROM
      (SELECT id FROM ${name(table)} WHERE id > last_id ORDER BY id LIMIT ${BATCH_ROWS}) batch
      ORDER BY id DESC LIMIT 1;
    EXIT WHEN batch_end IS NULL;
    UPDATE ${name(table)} SET ${set}
      WHERE id > last_id AND id <= batch_end AND (${where});
    COMMIT;
    last_id := batch_end;
  END LOOP;
END $$;`

type Backfill = { entity: string; fields: string[]; migration: string }

/** Backfilled values have no revision; the audit row names the migration instead. */
export const auditBackfill = ({ entity, fields, migration }: Backfill) => `INSERT INTO audit_events
  (actor_kind, action, entity, fields, outcome, request_id)
SELECT 'system', 'backfill', ${quote(entity)}, ARRAY[${fields.map(quote).join(', ')}], 'done', ${quote(migration)}
WHERE NOT EXISTS (SELECT FROM audit_events
  WHERE entity = ${quote(entity)} AND action = 'backfill' AND request_id = ${quote(migration)});`
