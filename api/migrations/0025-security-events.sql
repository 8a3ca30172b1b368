CREATE TABLE "security_event_counts" (
	"hour" timestamp(3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "security_event_counts_hour_kind_pk" PRIMARY KEY("hour","kind")
);

CREATE TABLE "security_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"actor_ref" uuid,
	"about_ref" uuid,
	"model" text,
	"record" uuid,
	"outcome" text,
	"sid" text,
	"source_id" text,
	CONSTRAINT "security_events_source_id_unique" UNIQUE("source_id")
);

CREATE INDEX "security_events_at_index" ON "security_events" USING btree ("at","id");

CREATE INDEX "security_events_about_index" ON "security_events" USING btree ("about_ref","kind","at","id") WHERE "security_events"."about_ref" is not null;
