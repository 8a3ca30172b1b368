-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contracts_trash" ON "contracts" USING btree ("id") WHERE "contracts"."deleted_at" is not null;
