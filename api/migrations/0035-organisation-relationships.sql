-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contracts_organisation_covers" ON "contracts" USING btree ("organisation","end_on","terminated_on") WHERE "contracts"."deleted_at" is null;
