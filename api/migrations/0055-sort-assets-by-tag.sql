-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "assets_asset_tag_sort" ON "assets" USING btree ("asset_tag","id") WHERE "assets"."deleted_at" is null;
