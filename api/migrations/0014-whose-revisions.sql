ALTER TABLE "revisions" ADD COLUMN "owner" text;

ALTER TABLE "revisions" ADD COLUMN "org" uuid;

ALTER TABLE "revisions" ADD COLUMN "is_open" boolean DEFAULT false NOT NULL;

ALTER TABLE "revisions" ADD COLUMN "is_settled" boolean DEFAULT false NOT NULL;
