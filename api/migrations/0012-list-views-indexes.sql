-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_user_sub_full_name_scope" ON "contacts" USING btree ("user_sub","full_name","id") WHERE "contacts"."deleted_at" is null and "contacts"."restricted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_organisation_full_name_scope" ON "contacts" USING btree ("organisation","full_name","id") WHERE "contacts"."deleted_at" is null and "contacts"."restricted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "contracts_organisation_reference_scope" ON "contracts" USING btree ("organisation","reference","id") WHERE "contracts"."deleted_at" is null and "contracts"."restricted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "contracts_organisation_start_on_scope" ON "contracts" USING btree ("organisation","start_on","id") WHERE "contracts"."deleted_at" is null and "contracts"."restricted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_client_id_number_scope" ON "tickets" USING btree ("client_id","number","id") WHERE "tickets"."deleted_at" is null and "tickets"."restricted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_organisation_number_scope" ON "tickets" USING btree ("organisation","number","id") WHERE "tickets"."deleted_at" is null and "tickets"."restricted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_client_id_subject_scope" ON "tickets" USING btree ("client_id","subject","id") WHERE "tickets"."deleted_at" is null and "tickets"."restricted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "tickets_organisation_subject_scope" ON "tickets" USING btree ("organisation","subject","id") WHERE "tickets"."deleted_at" is null and "tickets"."restricted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "assets_organisation_name_scope" ON "assets" USING btree ("organisation","name","id") WHERE "assets"."deleted_at" is null and "assets"."restricted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_organisation_title_scope" ON "incidents" USING btree ("organisation","title","id") WHERE "incidents"."deleted_at" is null and "incidents"."restricted_at" is null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "incidents_organisation_detected_at_scope" ON "incidents" USING btree ("organisation","detected_at","id") WHERE "incidents"."deleted_at" is null and "incidents"."restricted_at" is null;
