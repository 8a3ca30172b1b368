-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
DROP INDEX CONCURRENTLY IF EXISTS "contracts_organisation_covers";

CREATE INDEX CONCURRENTLY IF NOT EXISTS "contracts_organisation_covers" ON "contracts" USING btree ("organisation","end_on","terminated_on","auto_renew") WHERE "contracts"."deleted_at" is null;
