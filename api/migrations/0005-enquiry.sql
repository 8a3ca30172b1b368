CREATE TABLE "messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by_ref" uuid,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_by_ref" uuid,
	"deleted_at" timestamp(3) with time zone,
	"restricted_at" timestamp(3) with time zone,
	"sample" boolean DEFAULT false NOT NULL,
	"ticket" uuid NOT NULL,
	"body" text NOT NULL,
	"sets_status" text,
	"internal" boolean,
	"from_staff" boolean,
	"author_name" text
);

ALTER TABLE "messages" ADD CONSTRAINT "messages_ticket_tickets_id_fk" FOREIGN KEY ("ticket") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;

CREATE INDEX "messages_ticket_index" ON "messages" USING btree ("ticket","id") WHERE "messages"."deleted_at" is null;

CREATE INDEX "messages_live" ON "messages" USING btree ("id") WHERE "messages"."deleted_at" is null;

CREATE INDEX "messages_search" ON "messages" USING gin ("body" gin_trgm_ops);
