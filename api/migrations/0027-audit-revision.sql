ALTER TABLE "audit_events" ADD COLUMN "revision_id" uuid;
