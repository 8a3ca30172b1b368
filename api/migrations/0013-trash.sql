-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "organisations_trash" ON "organisations" USING btree ("id") WHERE "organisations"."deleted_at" is not null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_trash" ON "contacts" USING btree ("id") WHERE "contacts"."deleted_at" is not null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "services_trash" ON "services" USING btree ("id") WHERE "services"."deleted_at" is not null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "contracts_trash" ON "contracts" USING btree ("id") WHERE "contracts"."deleted_at" is not null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_trash" ON "tickets" USING btree ("id") WHERE "tickets"."deleted_at" is not null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_trash" ON "messages" USING btree ("id") WHERE "messages"."deleted_at" is not null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "assets_trash" ON "assets" USING btree ("id") WHERE "assets"."deleted_at" is not null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_trash" ON "incidents" USING btree ("id") WHERE "incidents"."deleted_at" is not null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "articles_trash" ON "articles" USING btree ("id") WHERE "articles"."deleted_at" is not null;
