-- no transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_events_at_index" ON "audit_events" USING btree ("at","seq");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_events_model_index" ON "audit_events" USING btree ("entity","seq");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_events_actor_index" ON "audit_events" USING btree ("actor_ref","entity","seq");

CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "audit_events_revision_unique" ON "audit_events" USING btree ("revision_id") WHERE "audit_events"."revision_id" is not null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "security_events_kind_index" ON "security_events" USING btree ("kind","at","id");

CREATE INDEX CONCURRENTLY IF NOT EXISTS "security_events_actor_index" ON "security_events" USING btree ("actor_ref","kind","at","id") WHERE "security_events"."actor_ref" is not null;

CREATE INDEX CONCURRENTLY IF NOT EXISTS "security_events_record_index" ON "security_events" USING btree ("record","at","id") WHERE "security_events"."record" is not null;
