-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_open_work" ON "tickets" USING btree ("due_at","id","status","opened_at") WHERE "tickets"."deleted_at" is null and "tickets"."status" in ('New', 'Open', 'Waiting for client');
