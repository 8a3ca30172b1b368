-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_trash" ON "tickets" USING btree ("id") WHERE "tickets"."deleted_at" is not null;
