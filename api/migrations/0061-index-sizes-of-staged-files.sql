-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "files_waiting_index_new" ON "files" USING btree ("owner_ref","size") WHERE "files"."stage" in ('uploading', 'staged');

DROP INDEX CONCURRENTLY IF EXISTS "files_waiting_index";

ALTER INDEX IF EXISTS "files_waiting_index_new" RENAME TO "files_waiting_index";
