-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_trash" ON "messages" USING btree ("id") WHERE "messages"."deleted_at" is not null;
