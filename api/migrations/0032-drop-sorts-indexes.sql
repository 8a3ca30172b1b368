-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
DROP INDEX CONCURRENTLY IF EXISTS "contracts_reference_sort";

DROP INDEX CONCURRENTLY IF EXISTS "tickets_number_sort";

DROP INDEX CONCURRENTLY IF EXISTS "tickets_subject_sort";

DROP INDEX CONCURRENTLY IF EXISTS "tickets_client_id_subject_scope";

DROP INDEX CONCURRENTLY IF EXISTS "tickets_organisation_subject_scope";
