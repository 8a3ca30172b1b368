-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_differs_work" ON "tickets" USING btree ("opened_at","id") WHERE "tickets"."deleted_at" is null and "tickets"."contact_differs" in ('true');

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_unassigned_work" ON "tickets" USING btree ("opened_at","id","contact") WHERE "tickets"."deleted_at" is null and "tickets"."client_id" is null and "tickets"."client_via" is null and "tickets"."contact" is not null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_contactless_work" ON "tickets" USING btree ("opened_at","id","client_id","email") WHERE "tickets"."deleted_at" is null and "tickets"."client_via" in ('contact', 'pending') and "tickets"."contact" is null;
