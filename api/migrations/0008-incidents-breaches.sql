-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_breaches_work" ON "incidents" USING btree ("notify_by","id","status") WHERE "incidents"."deleted_at" is null and "incidents"."notify_by" is not null and "incidents"."notified_at" is null;
