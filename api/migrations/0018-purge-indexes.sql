-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_organisation_relation" ON "contacts" USING btree ("organisation","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "contracts_organisation_relation" ON "contracts" USING btree ("organisation","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "contracts_service_relation" ON "contracts" USING btree ("service","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_contact_relation" ON "tickets" USING btree ("contact","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_organisation_relation" ON "tickets" USING btree ("organisation","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_service_relation" ON "tickets" USING btree ("service","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_ticket_relation" ON "messages" USING btree ("ticket","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "assets_organisation_relation" ON "assets" USING btree ("organisation","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "assets_assigned_to_relation" ON "assets" USING btree ("assigned_to","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_organisation_relation" ON "incidents" USING btree ("organisation","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_asset_relation" ON "incidents" USING btree ("asset","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_reported_by_relation" ON "incidents" USING btree ("reported_by","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "articles_service_relation" ON "articles" USING btree ("service","id");

DROP INDEX CONCURRENTLY IF EXISTS "contacts_organisation_index";

DROP INDEX CONCURRENTLY IF EXISTS "contracts_organisation_index";

DROP INDEX CONCURRENTLY IF EXISTS "contracts_service_index";

DROP INDEX CONCURRENTLY IF EXISTS "tickets_contact_index";

DROP INDEX CONCURRENTLY IF EXISTS "tickets_organisation_index";

DROP INDEX CONCURRENTLY IF EXISTS "tickets_service_index";

DROP INDEX CONCURRENTLY IF EXISTS "messages_ticket_index";

DROP INDEX CONCURRENTLY IF EXISTS "assets_organisation_index";

DROP INDEX CONCURRENTLY IF EXISTS "assets_assigned_to_index";

DROP INDEX CONCURRENTLY IF EXISTS "incidents_organisation_index";

DROP INDEX CONCURRENTLY IF EXISTS "incidents_asset_index";

DROP INDEX CONCURRENTLY IF EXISTS "incidents_reported_by_index";

DROP INDEX CONCURRENTLY IF EXISTS "articles_service_index";
