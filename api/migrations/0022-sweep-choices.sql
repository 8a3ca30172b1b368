-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "cookie_choices_at_index" ON "cookie_choices" USING btree ("at");
