-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_callbacks_work" ON "tickets" USING btree ("callback_at","id","status") WHERE "tickets"."deleted_at" is null and "tickets"."status" in ('New', 'Open', 'Waiting for client') and "tickets"."callback_at" is not null;
