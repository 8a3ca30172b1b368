-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "accounts_email_address" ON "accounts" USING btree (lower("email"),"id") WHERE "accounts"."deleted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "privacyrequests_email_address" ON "privacyrequests" USING btree (lower("email"),"id") WHERE "privacyrequests"."deleted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_email_address" ON "tickets" USING btree (lower("email"),"id") WHERE "tickets"."deleted_at" is null;
