-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_trash" ON "contacts" USING btree ("id") WHERE "contacts"."deleted_at" is not null;
