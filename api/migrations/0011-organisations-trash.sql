-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "organisations_trash" ON "organisations" USING btree ("id") WHERE "organisations"."deleted_at" is not null;
