-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_organisation_covers" ON "incidents" USING btree ("organisation","status") WHERE "incidents"."deleted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_organisation_covers" ON "tickets" USING btree ("organisation","status") WHERE "tickets"."deleted_at" is null;
