-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "outbox_waiting_index" ON "outbox" USING btree ("created_at") WHERE "outbox"."failed_at" is null;

DROP INDEX CONCURRENTLY IF EXISTS "outbox_next_try_at_index";

-- The release before still adds mails beside this one, and no longer sends any: its jobs fail and go back to the queue.
-- squawk-ignore ban-drop-column
ALTER TABLE "outbox" DROP COLUMN IF EXISTS "next_try_at";
