ALTER TABLE "revocations" ADD COLUMN "ends_sessions" boolean DEFAULT false NOT NULL;

ALTER TABLE "revocations" ADD COLUMN "spared_sid" text;
