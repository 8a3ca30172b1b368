CREATE TABLE "daily_salts" (
	"day" date PRIMARY KEY NOT NULL,
	"salt" uuid NOT NULL
);

CREATE TABLE "confirmations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"address_hash" text NOT NULL,
	"queued_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);

ALTER TABLE "idempotency_keys" ADD COLUMN "is_confirmed" boolean;

CREATE INDEX "confirmations_address_hash_index" ON "confirmations" USING btree ("address_hash");

CREATE INDEX "confirmations_queued_at_index" ON "confirmations" USING btree ("queued_at");
