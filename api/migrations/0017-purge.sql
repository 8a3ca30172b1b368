CREATE TABLE "purges" (
	"model" text NOT NULL,
	"record_id" uuid NOT NULL,
	"unlinked" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"refusals" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"tried_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "purges_model_record_id_pk" PRIMARY KEY("model","record_id")
);
