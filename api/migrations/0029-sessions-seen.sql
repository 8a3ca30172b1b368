CREATE TABLE "sessions_seen" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sid" text NOT NULL,
	"sub" text NOT NULL,
	"browser" text NOT NULL,
	"system" text NOT NULL,
	"begun_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_seen_sid_unique" UNIQUE("sid")
);

CREATE INDEX "sessions_seen_sub_index" ON "sessions_seen" USING btree ("sub");

CREATE INDEX "sessions_seen_used_at_index" ON "sessions_seen" USING btree ("used_at");
