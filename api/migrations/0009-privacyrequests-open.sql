-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "privacyrequests_open_work" ON "privacyrequests" USING btree ("due_on","id") WHERE "privacyrequests"."deleted_at" is null and "privacyrequests"."status" in ('received', 'awaiting_verification', 'open', 'in_progress', 'ready');
