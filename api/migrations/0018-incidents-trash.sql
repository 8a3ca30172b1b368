-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_trash" ON "incidents" USING btree ("id") WHERE "incidents"."deleted_at" is not null;
