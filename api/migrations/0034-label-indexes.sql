-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "assets_label" ON "assets" USING hash ("id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_label" ON "contacts" USING hash ("id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "organisations_label" ON "organisations" USING hash ("id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "services_label" ON "services" USING hash ("id");
