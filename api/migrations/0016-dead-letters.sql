-- Only a dead letter loses its address, and the release before never reads one: it is not due.
-- squawk-ignore ban-drop-not-null
ALTER TABLE "outbox" ALTER COLUMN "recipient" DROP NOT NULL;

ALTER TABLE "outbox" ADD COLUMN "code" text;

ALTER TABLE "outbox" ADD COLUMN "failed_at" timestamp(3) with time zone;

ALTER TABLE "outbox" ADD COLUMN "address_until" timestamp(3) with time zone;
