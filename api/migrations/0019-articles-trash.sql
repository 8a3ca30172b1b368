-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "articles_trash" ON "articles" USING btree ("id") WHERE "articles"."deleted_at" is not null;
