-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_phone_digits" ON "contacts" USING gin (regexp_replace("phone", '[(]0[)]|[^0-9]', '', 'g') gin_trgm_ops);

CREATE INDEX CONCURRENTLY IF NOT EXISTS "organisations_phone_digits" ON "organisations" USING gin (regexp_replace("phone", '[(]0[)]|[^0-9]', '', 'g') gin_trgm_ops);
