-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "services_trash" ON "services" USING btree ("id") WHERE "services"."deleted_at" is not null;
