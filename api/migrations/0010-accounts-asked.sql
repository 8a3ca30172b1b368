-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "accounts_asked_work" ON "accounts" USING btree ("last_seen_on","id") WHERE "accounts"."deleted_at" is null and "accounts"."link" in ('asked');
