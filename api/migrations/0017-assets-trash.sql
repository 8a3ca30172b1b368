-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "assets_trash" ON "assets" USING btree ("id") WHERE "assets"."deleted_at" is not null;
