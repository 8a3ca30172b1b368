CREATE TABLE "history_checks" (
	"day" date PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"revisions" integer NOT NULL,
	"audit_rows" integer NOT NULL,
	"mismatches" integer NOT NULL
);

ALTER TABLE "audit_events" ADD COLUMN "revision_id" uuid;
