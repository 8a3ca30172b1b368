CREATE TABLE "privacyrequests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by_ref" uuid,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_by_ref" uuid,
	"deleted_at" timestamp(3) with time zone,
	"restricted_at" timestamp(3) with time zone,
	"sample" boolean DEFAULT false NOT NULL,
	"reference" text,
	"kind" text,
	"status" text NOT NULL,
	"outcome" text,
	"name" text,
	"email" text,
	"message" text,
	"received_at" timestamp(3) with time zone,
	"due_on" date,
	"verified_at" timestamp(3) with time zone,
	"extended_to" date,
	"extension_reason" text
);

CREATE TABLE "hourly_salts" (
	"hour" timestamp(3) with time zone PRIMARY KEY NOT NULL,
	"salt" uuid NOT NULL
);

CREATE TABLE "hourly_counts" (
	"hour" timestamp(3) with time zone NOT NULL,
	"caller" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "hourly_counts_hour_caller_pk" PRIMARY KEY("hour","caller")
);

CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "cookie_choices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"choice" text NOT NULL,
	"switch_state" boolean NOT NULL,
	"gpc" boolean NOT NULL,
	"notice_version" text NOT NULL,
	"dialog_hash" text NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "case_counters" (
	"year" integer PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);

CREATE UNIQUE INDEX "privacyrequests_reference_unique" ON "privacyrequests" USING btree ("reference") WHERE "privacyrequests"."deleted_at" is null;

CREATE INDEX "privacyrequests_reference_sort" ON "privacyrequests" USING btree ("reference","id") WHERE "privacyrequests"."deleted_at" is null;

CREATE INDEX "privacyrequests_kind_sort" ON "privacyrequests" USING btree ("kind","id") WHERE "privacyrequests"."deleted_at" is null;

CREATE INDEX "privacyrequests_status_sort" ON "privacyrequests" USING btree ("status","id") WHERE "privacyrequests"."deleted_at" is null;

CREATE INDEX "privacyrequests_received_at_sort" ON "privacyrequests" USING btree ("received_at","id") WHERE "privacyrequests"."deleted_at" is null;

CREATE INDEX "privacyrequests_due_on_sort" ON "privacyrequests" USING btree ("due_on","id") WHERE "privacyrequests"."deleted_at" is null;

CREATE INDEX "privacyrequests_search" ON "privacyrequests" USING gin ("reference" gin_trgm_ops,"name" gin_trgm_ops,"email" gin_trgm_ops);

CREATE INDEX "outbox_next_try_at_index" ON "outbox" USING btree ("next_try_at");
