CREATE TABLE "identity_reads" (
	"name" text PRIMARY KEY NOT NULL,
	"is_up" boolean NOT NULL,
	"read_until" timestamp(3) with time zone NOT NULL,
	"noted_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "revocations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sub" text,
	"sid" text,
	"not_before" timestamp(3) with time zone NOT NULL,
	"noted_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);

CREATE INDEX "revocations_noted_at_index" ON "revocations" USING btree ("noted_at");

CREATE TABLE "security_mails" (
	"subject" text PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
