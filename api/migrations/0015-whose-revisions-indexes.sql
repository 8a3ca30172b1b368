-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "revisions_unsettled_index" ON "revisions" USING btree ("model","record_id") WHERE not "revisions"."is_settled";
