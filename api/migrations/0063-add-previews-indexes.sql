-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "files_preview_index" ON "files" USING btree ("changed_at") WHERE (preview is null or preview = 'tried') and stage in ('staged', 'attached') and verdict in ('none', 'clean') and size <= 100000000 and type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif');
